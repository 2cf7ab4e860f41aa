/**
 * `npm run flows -- key create | key show | endpoint set | endpoint clear`: what the phones of Flows ask, and whom. A
 * running gateway is asked to do it.
 */
import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from './config.ts'
import { askOrDo } from './gateway/beside.ts'
import { askedFlowDesk, type FlowDesk } from './gateway/flow-desk.ts'

const USAGE = `usage: npm run flows -- key create --number num_... [--json]
       npm run flows -- key show --number num_... [--json]
       npm run flows -- endpoint set --flow flow_... --url https://... [--json]
       npm run flows -- endpoint clear --flow flow_... [--json]`

type ShownKey = Awaited<ReturnType<FlowDesk['createKey']>>
type Asked = ReturnType<typeof askedFlowDesk>

/** Asks the gateway that runs in the data directory, or does it without one. */
function run<T>(ask: (desk: Asked) => Promise<T | null>, work: (desk: FlowDesk) => Promise<T>): Promise<T> {
  const config = readConfig(process.env)
  return askOrDo(
    config,
    'flows',
    (dataDir) => ask(askedFlowDesk(dataDir)),
    async (beside) => {
      const { atFlowDesk } = await import('./gateway/flow-desk-beside.ts')
      return await atFlowDesk(config, beside, work)
    },
  )
}

function print(shown: object, isJson: boolean, text: string): void {
  console.log(isJson ? JSON.stringify(shown) : text)
}

/** A number that does not have the key is a failure of the command. */
function printKey(key: ShownKey, isJson: boolean): void {
  const { accountId, publicKey, numbers } = key
  const lines = numbers.map(
    ({ numberId, status, reason }) => `${numberId}  ${status}${reason === undefined ? '' : `  ${reason}`}`,
  )
  print({ accountId, publicKey, numbers }, isJson, [`account ${accountId}`, publicKey.trim(), ...lines].join('\n'))
  if (numbers.some(({ status }) => status !== 'UPLOADED')) process.exitCode = 1
}

async function ofKey(verb: string, number: string, isJson: boolean): Promise<void> {
  if (verb === 'create')
    return printKey(
      await run(
        (desk) => desk.createKey(number),
        (desk) => desk.createKey(number),
      ),
      isJson,
    )
  printKey(
    await run(
      (desk) => desk.showKey(number),
      (desk) => desk.showKey(number),
    ),
    isJson,
  )
}

async function setEndpoint(flow: string, url: string, isJson: boolean): Promise<void> {
  const set = await run(
    (desk) => desk.setEndpoint(flow, url),
    (desk) => desk.setEndpoint(flow, url),
  )
  print(
    set,
    isJson,
    `flow        ${set.flowId}\nendpointUri ${set.endpointUri}\nsecret      ${set.secret}\nThe secret is shown only now. Keep it on a backend.`,
  )
}

async function clearEndpoint(flow: string, isJson: boolean): Promise<void> {
  const cleared = await run(
    (desk) => desk.clearEndpoint(flow),
    (desk) => desk.clearEndpoint(flow),
  )
  print(
    cleared,
    isJson,
    `flow ${cleared.flowId} has no endpoint any more${cleared.reason === undefined ? '' : `; the platform keeps its address: ${cleared.reason}`}`,
  )
}

async function main(): Promise<void> {
  const {
    positionals: [noun, verb],
    values,
  } = parseArgs({
    allowPositionals: true,
    options: {
      number: { type: 'string' },
      flow: { type: 'string' },
      url: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  const { number, flow, url, json: isJson } = values
  if (noun === 'key' && (verb === 'create' || verb === 'show') && number) return ofKey(verb, number, isJson)
  if (noun === 'endpoint' && verb === 'set' && flow && url) return setEndpoint(flow, url, isJson)
  if (noun === 'endpoint' && verb === 'clear' && flow) return clearEndpoint(flow, isJson)
  throw new Error(USAGE)
}

try {
  await main()
} catch (error) {
  console.error(error instanceof ConfigError || error instanceof Error ? error.message : error)
  process.exitCode = 1
}
