/**
 * `npm run set-aside -- list | retry | drop`: what could not be worked off for a reason of its own. A running gateway
 * is asked to do it.
 */
import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from './config.ts'
import { askOrDo } from './gateway/beside.ts'
import {
  askedSetAsideDesk,
  readPicked,
  setAsideDesk,
  type SetAsideDesk,
  type ShownAside,
  type WorkedOff,
} from './gateway/set-aside-desk.ts'

const USAGE = `usage: npm run set-aside -- list [--json]
       npm run set-aside -- retry ID... | --line LINE | --all [--json]
       npm run set-aside -- drop ID... | --line LINE | --all [--json]`

/**
 * Asks the gateway that runs in the data directory, or does it without one: then whoever runs on the database finds
 * what came back.
 */
function run<T>(
  ask: (desk: ReturnType<typeof askedSetAsideDesk>) => Promise<T | null>,
  work: (desk: SetAsideDesk) => Promise<T>,
): Promise<T> {
  return askOrDo(
    readConfig(process.env),
    'set-aside',
    (dataDir) => ask(askedSetAsideDesk(dataDir)),
    ({ stores }) => work(setAsideDesk({ ...stores, enqueue: null })),
  )
}

function printItems(items: readonly ShownAside[], isJson: boolean): void {
  if (isJson) return console.log(JSON.stringify(items))
  if (items.length === 0) return console.log('Nothing is set aside.')
  for (const { id, line, item, numberId, accountId, tenantId, reason, tries, createdAt } of items) {
    console.log(
      `${id.padStart(6)}  ${createdAt}  ${line.padEnd(15)}  ${(numberId ?? accountId ?? tenantId ?? '-').padEnd(30)}  ${reason} after ${tries} ${tries === 1 ? 'try' : 'tries'}  ${item}`,
    )
  }
}

function printWork(verb: string, { done, final, unknown }: WorkedOff, isJson: boolean): void {
  if (isJson) console.log(JSON.stringify({ done, final, unknown }))
  else {
    console.log(`${done.length} ${verb}`)
    if (final.length > 0)
      console.log(
        `cannot be put back (a send that was told as failed, the log of a delivery; a delivery itself only by a gateway that runs): ${final.join(' ')}`,
      )
    if (unknown.length > 0) console.log(`not there: ${unknown.join(' ')}`)
  }
  if (final.length + unknown.length > 0) process.exitCode = 1
}

async function main(): Promise<void> {
  const {
    positionals: [verb, ...ids],
    values,
  } = parseArgs({
    allowPositionals: true,
    options: {
      line: { type: 'string' },
      all: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  const { line = null, all: isAll, json: isJson } = values
  if (verb === 'list' && ids.length === 0)
    return printItems(
      await run(
        (desk) => desk.list(),
        (desk) => desk.list(),
      ),
      isJson,
    )
  const ways = [ids.length > 0, line !== null, isAll].filter(Boolean).length
  if ((verb !== 'retry' && verb !== 'drop') || ways !== 1) throw new Error(USAGE)
  const picked = readPicked({ ids, line, isAll })
  printWork(
    verb === 'retry' ? 'put back' : 'dropped',
    await run(
      (desk) => desk[verb](picked),
      (desk) => desk[verb](picked),
    ),
    isJson,
  )
}

try {
  await main()
} catch (error) {
  console.error(error instanceof ConfigError || error instanceof Error ? error.message : error)
  process.exitCode = 1
}
