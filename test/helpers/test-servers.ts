/** PostgreSQL for tests, when there is one. */
export const TEST_DATABASE_URL = process.env['TEST_DATABASE_URL'] ?? null
/** Redis for tests, when there is one. */
export const TEST_REDIS_URL = process.env['TEST_REDIS_URL'] ?? null
