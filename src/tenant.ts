/**
 * `npm run tenant -- create | list | rotate | reseal`: tenants and their keys, each key shown once; what is encrypted
 * at rest. A running gateway is asked to do it.
 */
import { parseArgs } from 'node:util'
import {
  askForTenants,
  askToCreateTenant,
  askToRotateTenant,
  type ShownTenant,
  type TenantDesk,
} from './gateway/admin-socket.ts'
import { askOrDo } from './gateway/beside.ts'
import { resealIn } from './gateway/reseal-desk.ts'
import { tenantDesk } from './gateway/tenant-desk.ts'
import { ConfigError, readConfig, type Config } from './config.ts'

const USAGE = `usage: npm run tenant -- create --name NAME [--json]
       npm run tenant -- list [--json]
       npm run tenant -- rotate --tenant ten_... [--json]
       npm run tenant -- reseal [--json]   what is encrypted with an older key of ENCRYPTION_KEY, with the first`

/**
 * Asks the gateway that runs in the data directory, or does it without one. Gateways elsewhere notice a rotation when
 * their callers expire, within 2 s.
 */
function run<T>(
  config: Config,
  ask: (dataDir: string) => Promise<T | null>,
  work: (desk: TenantDesk) => Promise<T>,
): Promise<T> {
  return askOrDo(config, 'tenant', ask, ({ stores }) => work(tenantDesk({ ...stores, revokeCallers: async () => {} })))
}

function printKey({ tenantId, key }: ShownTenant, isJson: boolean): void {
  console.log(
    isJson
      ? JSON.stringify({ tenantId, key })
      : `tenant ${tenantId}\nkey    ${key}\nThe key is shown only now. Keep it on a backend.`,
  )
}

function printTenants(tenants: Awaited<ReturnType<TenantDesk['list']>>, isJson: boolean): void {
  if (isJson) return console.log(JSON.stringify(tenants))
  for (const { tenantId, name, createdAt, numbers } of tenants) {
    console.log(
      `${tenantId}  ${createdAt}  ${String(numbers).padStart(5)} ${numbers === 1 ? 'number ' : 'numbers'}  ${name}`,
    )
  }
}

/** Ends with 1 where something is opened by none of the keys. */
async function reseal(isJson: boolean): Promise<void> {
  const all = await resealIn(readConfig(process.env), (of, { looked, resealed }) => {
    if (!isJson) console.log(`${of}: ${looked} looked at, ${resealed} sealed anew`)
  })
  if (all.unopened > 0) process.exitCode = 1
  if (isJson) return console.log(JSON.stringify(all))
  const rest =
    all.unopened === 0
      ? 'Nothing needs an older key any more.'
      : `${all.unopened} are opened by none of the keys of ENCRYPTION_KEY, and are as they were: keep every older key.`
  console.log(`${all.resealed} of ${all.looked} sealed anew. ${rest}`)
}

async function main(): Promise<void> {
  const {
    positionals: [verb],
    values,
  } = parseArgs({
    allowPositionals: true,
    options: { name: { type: 'string' }, tenant: { type: 'string' }, json: { type: 'boolean', default: false } },
  })
  const { name, tenant, json: isJson } = values
  if (verb === 'create' && name) {
    return printKey(
      await run(
        readConfig(process.env),
        (dataDir) => askToCreateTenant(dataDir, name),
        (desk) => desk.create(name),
      ),
      isJson,
    )
  }
  if (verb === 'rotate' && tenant) {
    return printKey(
      await run(
        readConfig(process.env),
        (dataDir) => askToRotateTenant(dataDir, tenant),
        (desk) => desk.rotate(tenant),
      ),
      isJson,
    )
  }
  if (verb === 'reseal') return await reseal(isJson)
  if (verb !== 'list') throw new Error(USAGE)
  printTenants(await run(readConfig(process.env), askForTenants, (desk) => desk.list()), isJson)
}

try {
  await main()
} catch (error) {
  console.error(error instanceof ConfigError || error instanceof Error ? error.message : error)
  process.exitCode = 1
}
