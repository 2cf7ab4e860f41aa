/** `npm run tenant -- create | list | rotate`: tenants and their keys, each key shown once. A running gateway is asked to do it. */
import { parseArgs } from 'node:util'
import { askForTenants, askToCreateTenant, askToRotateTenant, type ShownTenant, type TenantDesk } from './gateway/admin-socket.ts'
import { tenantDesk } from './gateway/tenant-desk.ts'
import { ConfigError, readConfig, type Config } from './config.ts'
import { systemClock } from './process/clock.ts'
import { databaseLine, type UsedDatabase } from './process/database-line.ts'
import { createLog } from './process/log.ts'
import { databaseFault } from './process/start-fault.ts'
import { AesCipher } from './storage/engine/cipher.ts'
import { openDatabase } from './storage/engine/orm.ts'
import { loadOrCreateSecrets } from './storage/engine/secrets.ts'
import { openStores } from './storage/stores.ts'

const USAGE = `usage: npm run tenant -- create --name NAME [--json]
       npm run tenant -- list [--json]
       npm run tenant -- rotate --tenant ten_... [--json]`

/** On stderr, so that what a command answers can be read by a program. */
function tellDatabase(used: UsedDatabase): void {
  console.error(databaseLine(used))
}

/** Asks the gateway that runs in the data directory, or does it without one. */
async function run<T>(config: Config, ask: (dataDir: string) => Promise<T | null>, work: (desk: TenantDesk) => Promise<T>): Promise<T> {
  const { dataDir } = config
  const asked = ask(dataDir)
  // One that refuses runs too.
  if (await asked.then((answer) => answer !== null, () => true)) tellDatabase({ of: 'gateway', dataDir })
  return await asked ?? await directly(config, work)
}

/** Without a gateway in this data directory. Gateways elsewhere notice a rotation when their callers expire, within 2 s. */
async function directly<T>(config: Config, work: (desk: TenantDesk) => Promise<T>): Promise<T> {
  const encryptionKey = config.encryptionKey ?? (await loadOrCreateSecrets(config.dataDir)).encryptionKey
  const { databaseUrl, dataDir } = config
  const database = await openDatabase({ databaseUrl, dataDir, log: createLog('tenant', 'error'), clock: systemClock }).catch((error: unknown) => {
    throw (databaseUrl === null ? null : databaseFault(databaseUrl, error)) ?? error
  })
  tellDatabase({ of: 'command', databaseUrl, dataDir, isNew: database.isNew })
  try {
    const stores = openStores({ database, cipher: new AesCipher(Buffer.from(encryptionKey, 'base64')), clock: systemClock })
    return await work(tenantDesk({ ...stores, revokeCallers: async () => {} }))
  } finally {
    await database.close()
  }
}

function printKey({ tenantId, key }: ShownTenant, isJson: boolean): void {
  console.log(isJson ? JSON.stringify({ tenantId, key }) : `tenant ${tenantId}\nkey    ${key}\nThe key is shown only now. Keep it on a backend.`)
}

function printTenants(tenants: Awaited<ReturnType<TenantDesk['list']>>, isJson: boolean): void {
  if (isJson) return console.log(JSON.stringify(tenants))
  for (const { tenantId, name, createdAt, numbers } of tenants) {
    console.log(`${tenantId}  ${createdAt}  ${String(numbers).padStart(5)} ${numbers === 1 ? 'number ' : 'numbers'}  ${name}`)
  }
}

async function main(): Promise<void> {
  const { positionals: [verb], values } = parseArgs({
    allowPositionals: true, options: { name: { type: 'string' }, tenant: { type: 'string' }, json: { type: 'boolean', default: false } },
  })
  const { name, tenant, json: isJson } = values
  if (verb === 'create' && name) {
    return printKey(await run(readConfig(process.env), (dataDir) => askToCreateTenant(dataDir, name), (desk) => desk.create(name)), isJson)
  }
  if (verb === 'rotate' && tenant) {
    return printKey(await run(readConfig(process.env), (dataDir) => askToRotateTenant(dataDir, tenant), (desk) => desk.rotate(tenant)), isJson)
  }
  if (verb !== 'list') throw new Error(USAGE)
  printTenants(await run(readConfig(process.env), askForTenants, (desk) => desk.list()), isJson)
}

try {
  await main()
} catch (error) {
  console.error(error instanceof ConfigError || error instanceof Error ? error.message : error)
  process.exitCode = 1
}
