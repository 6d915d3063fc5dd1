/** The version segment that every base URL ends in (section 9). */
export const basePath = '/api/v1';
