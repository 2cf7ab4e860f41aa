/**
 * `npm run login [-- --tenant ten_...]`: a link that signs one browser in to the dashboard. A running gateway is asked
 * for it.
 */
import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from './config.ts'
import { askOrDo } from './gateway/beside.ts'
import { askToMintLogin, loginDesk } from './gateway/login-desk.ts'

const USAGE = 'usage: npm run login [-- --tenant ten_...] [--json]'

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { tenant: { type: 'string' }, json: { type: 'boolean', default: false } },
  })
  if (positionals.length > 0) throw new Error(USAGE)
  const config = readConfig(process.env)
  const { tenant = null, json: isJson } = values
  const baseUrl = config.baseUrl ?? `http://localhost:${config.port}`
  const link = await askOrDo(
    config,
    'login',
    (dataDir) => askToMintLogin(dataDir, tenant),
    ({ stores }) => loginDesk({ ...stores, baseUrl, isDashboardOn: config.isDashboardOn }).mint(tenant),
  )
  console.log(isJson ? JSON.stringify(link) : `${link.url}\nIt signs one browser in, within 15 minutes.`)
}

try {
  await main()
} catch (error) {
  console.error(error instanceof ConfigError || error instanceof Error ? error.message : error)
  process.exitCode = 1
}
