import type { ICredentialTestRequest } from 'n8n-workflow';

/** Reads one screen: the only call that needs nothing but the credential. */
export function accessTest(what: string): ICredentialTestRequest {
	return {
		request: {
			baseURL: '={{$credentials.baseUrl}}',
			url: '/screens',
			qs: { limit: 1 },
			disableFollowRedirect: true,
		},
		rules: [
			rule(
				401,
				`The service does not accept ${what}. Check that it was copied whole and belongs to this base URL.`,
			),
			rule(
				403,
				`The service accepts ${what}, but it lacks the scope screens:read, which this test reads with. What it is allowed to do works nevertheless.`,
			),
			rule(404, 'There is no list of screens at this base URL. Check that it ends in /api/v1.'),
			rule(429, 'The rate limit of this access is used up at the moment. Test again in a minute.'),
		],
	};
}

function rule(value: number, message: string) {
	return { type: 'responseCode' as const, properties: { value, message } };
}
