/** `npm run tenant -- create | list | rotate`: tenants and their keys, each key shown once. A running gateway is asked to do it. */
import { parseArgs } from 'node:util'
import { askForTenants, askToCreateTenant, askToRotateTenant, type ShownTenant, type TenantDesk } from './gateway/admin-socket.ts'
import { askOrDo } from './gateway/beside.ts'
import { tenantDesk } from './gateway/tenant-desk.ts'
import { ConfigError, readConfig, type Config } from './config.ts'

const USAGE = `usage: npm run tenant -- create --name NAME [--json]
       npm run tenant -- list [--json]
       npm run tenant -- rotate --tenant ten_... [--json]`

/** Asks the gateway that runs in the data directory, or does it without one. Gateways elsewhere notice a rotation when their callers expire, within 2 s. */
function run<T>(config: Config, ask: (dataDir: string) => Promise<T | null>, work: (desk: TenantDesk) => Promise<T>): Promise<T> {
  return askOrDo(config, 'tenant', ask, ({ stores }) => work(tenantDesk({ ...stores, revokeCallers: async () => {} })))
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
