import type { Caller } from '../../domain/caller.ts'
import type { Permission } from '../../domain/permissions.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { AgentTools, ToolList, ToolResult } from './agent-tools.ts'
import { canUse, missingScope } from './reach.ts'
import type { RouteAnswer, RunTool } from './run.ts'
import type { Tool, ToolFacts } from './tool.ts'

export interface AgentDeps {
  /** Makes the tools, when they are first asked for: that takes a tenth of a second, and most who start never do. */
  readonly makeTools: () => readonly Tool[]
  readonly run: RunTool
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
}

/** Who calls tools, and what the request around says besides. */
export interface Agent {
  readonly caller: Caller
  /** Of the header `x-channel-number-id`; null: nothing. */
  readonly namedNumber: string | null
  readonly clientAddress: string
  readonly requestId: string
}

/** `failed`: by a fault of ours or of upstream. `unscoped`: the client was sent to ask for more first. */
type Outcome = 'done' | 'refused' | 'failed' | 'unknown' | 'unscoped'

/** A program that acts for somebody, and what it asked with. */
export interface Agents {
  readonly toolsOf: (agent: Agent) => AgentTools
  /**
   * The scope that a call of a tool of this name would have to be granted first; null: none would help, or none is
   * missing.
   */
  readonly missingScope: (caller: Caller, name: string) => Permission | null
}

/** Our choice: callers differ by few sets of permissions. */
const MOST_LISTS = 200

/** Callers of one kind use the same tools. */
function kindOf({ by, reach, permissions }: Caller): string {
  return [by, reach.at, ...(permissions === 'all' ? ['all'] : [...permissions].toSorted())].join(' ')
}

/** Gives each agent its tools. Calls are counted and logged by tool and outcome, never by arguments (contract 15). */
export function createAgents({ makeTools, run, clock, log, metrics }: AgentDeps): Agents {
  let made: ReadonlyMap<string, Tool> | null = null
  const tools = (): ReadonlyMap<string, Tool> => (made ??= new Map(makeTools().map((tool) => [tool.facts.name, tool])))
  const total = metrics.counter('tool_calls_total', 'Calls of tools, by tool and what came of them', [
    'tool',
    'outcome',
  ])

  const lists = new Map<string, ToolList>()
  const listFor = (caller: Caller): ToolList => {
    const key = kindOf(caller)
    const list = lists.get(key) ?? listOf([...tools().values()].filter(({ route }) => canUse(route, caller)))
    if (lists.size >= MOST_LISTS) lists.clear()
    lists.set(key, list)
    return list
  }

  const toolsOf = (agent: Agent): AgentTools => ({
    list: () => listFor(agent.caller),
    async call(name, args) {
      const tool = tools().get(name)
      // An invented name is no label of a series, and may be anything in a log.
      const told = (outcome: Outcome): void => total.add({ tool: tool?.facts.name ?? 'unknown', outcome })
      if (!tool) {
        told('unknown')
        return null
      }
      const startMs = clock.monotonicMs()
      const answer = await run({ tool, args, ...agent })
      const outcome: Outcome = answer.status < 400 ? 'done' : answer.status < 500 ? 'refused' : 'failed'
      told(outcome)
      log.info(
        {
          requestId: agent.requestId,
          tool: name,
          outcome,
          status: answer.status,
          durationMs: Math.round(clock.monotonicMs() - startMs),
          tenantId: agent.caller.tenantId,
        },
        'tool called',
      )
      return resultOf(tool.facts, answer)
    },
  })

  return {
    toolsOf,
    missingScope(caller, name) {
      const tool = tools().get(name)
      const missing = tool ? missingScope(tool.route, caller) : null
      if (missing !== null) total.add({ tool: name, outcome: 'unscoped' })
      return missing
    },
  }
}

function listOf(tools: readonly Tool[]): ToolList {
  const definitions = tools.map(({ definition }) => definition)
  return { definitions, json: Buffer.from(JSON.stringify(definitions)) }
}

function resultOf({ listName, withheld }: ToolFacts, answer: RouteAnswer): ToolResult {
  if (answer.status >= 400) return { isRefused: true, text: refusalOf(answer) }
  if (listName !== undefined) return { isRefused: false, text: `{${JSON.stringify(listName)}:${answer.body}}` }
  return { isRefused: false, text: withheld ? without(answer.body, withheld) : answer.body }
}

function without(body: string, names: readonly string[]): string {
  const fields = Object.entries(JSON.parse(body) as object).filter(([name]) => !names.includes(name))
  return JSON.stringify(Object.fromEntries(fields))
}

/** The body of a refusal, with its status, so that a model can mend what it asked. */
function refusalOf({ status, body, retryAfter }: RouteAnswer): string {
  return JSON.stringify({
    status,
    ...(JSON.parse(body) as object),
    ...(retryAfter === null ? {} : { retryAfterSeconds: Number(retryAfter) }),
  })
}
