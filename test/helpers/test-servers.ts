/** The address of PostgreSQL for tests; null when there is none. */
export const TEST_DATABASE_URL = process.env['TEST_DATABASE_URL'] ?? null
/** The address of Redis for tests; null when there is none. */
export const TEST_REDIS_URL = process.env['TEST_REDIS_URL'] ?? null
