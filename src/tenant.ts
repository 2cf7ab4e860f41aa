/** `npm run tenant -- create --name Acme [--json]`: adds a tenant and prints its key, the only time it is shown. */
import { parseArgs } from 'node:util'
import { askToCreateTenant, type CreatedTenant } from './admin-socket.ts'
import { ConfigError, readConfig, type Config } from './config.ts'
import { systemClock } from './process/clock.ts'
import { createLog } from './process/log.ts'
import { AesCipher } from './storage/cipher.ts'
import { openDatabase } from './storage/orm.ts'
import { loadOrCreateSecrets } from './storage/secrets.ts'
import { createStores } from './storage/stores.ts'

const USAGE = 'usage: npm run tenant -- create --name NAME [--json]'

async function createDirectly(config: Config, name: string): Promise<CreatedTenant> {
  const encryptionKey = config.encryptionKey ?? (await loadOrCreateSecrets(config.dataDir)).encryptionKey
  const database = await openDatabase({ databaseUrl: config.databaseUrl, dataDir: config.dataDir, log: createLog('tenant', 'error') })
  try {
    const stores = createStores(database, new AesCipher(Buffer.from(encryptionKey, 'base64')), systemClock)
    return await stores.tenants.create(name)
  } finally {
    await database.close()
  }
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { name: { type: 'string' }, json: { type: 'boolean' } } })
  if (positionals[0] !== 'create' || !values.name) throw new Error(USAGE)
  const config = readConfig(process.env)
  const created = await askToCreateTenant(config.dataDir, values.name) ?? await createDirectly(config, values.name)
  console.log(values.json
    ? JSON.stringify({ tenantId: created.tenantId, key: created.key })
    : `tenant ${created.tenantId}\nkey    ${created.key}\nThe key is shown only now. Keep it on a backend.`)
}

try {
  await main()
} catch (error) {
  console.error(error instanceof ConfigError || error instanceof Error ? error.message : error)
  process.exitCode = 1
}
