/** Far more than one n8n has of anything. */
const usualMax = 1000;

/**
 * What a process keeps of accesses and triggers. Credentials and workflows come and go while n8n
 * runs for months, so the one that was not used for longest is forgotten.
 */
export class LatestUsed<Value> {
	readonly #entries = new Map<string, Value>();
	readonly #max: number;

	constructor(max: number = usualMax) {
		this.#max = max;
	}

	/** What is kept under the key, made now when there is nothing. */
	get(key: string, make: () => Value): Value {
		const value = this.#entries.get(key) ?? make();
		this.#entries.delete(key);
		this.#entries.set(key, value);
		const [oldest] = this.#entries.keys();
		if (this.#entries.size > this.#max && oldest !== undefined) this.#entries.delete(oldest);
		return value;
	}

	forget(key: string): void {
		this.#entries.delete(key);
	}
}
