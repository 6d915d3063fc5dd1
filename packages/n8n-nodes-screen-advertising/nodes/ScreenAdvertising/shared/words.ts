import type { Task } from '@screen-advertising/core/availability';

/** What n8n shows: the title says what happened, the description what to do about it. */
export interface Words {
	readonly message: string;
	readonly description: string;
}

/** What the words may name. */
export interface Facts {
	readonly operation?: Task | undefined;
	/** What the user put into a field, by its name in the catalogue; empty when there is nothing. */
	readonly given: (name: string) => string;
}
