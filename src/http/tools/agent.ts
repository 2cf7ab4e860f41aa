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
  /**
   * Makes the tools when they are first asked for: it takes a tenth of a second, and most programs that start never
   * need them.
   */
  readonly makeTools: () => readonly Tool[]
  readonly run: RunTool
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
}

/** A caller of tools, with what its request says besides. */
export interface Agent {
  readonly caller: Caller
  /** The header `x-channel-number-id`; null when it is absent. */
  readonly namedNumber: string | null
  readonly clientAddress: string
  readonly requestId: string
}

/** `failed`: a failure of the service or of upstream. `unscoped`: the client was sent to ask for a scope first. */
type Outcome = 'done' | 'refused' | 'failed' | 'unknown' | 'unscoped'

/** The tools of programs that act for people. */
export interface Agents {
  readonly toolsOf: (agent: Agent) => AgentTools
  /**
   * The scope that must be granted before a tool of this name can be called; null when none is missing, or none would
   * help.
   */
  readonly missingScope: (caller: Caller, name: string) => Permission | null
}

/** our choice: lists of tools that are kept. Callers have few different sets of permissions. */
const MOST_LISTS = 200

/** A text that is equal for callers that may use the same tools. */
function kindOf({ by, reach, permissions }: Caller): string {
  return [by, reach.at, ...(permissions === 'all' ? ['all'] : [...permissions].toSorted())].join(' ')
}

/**
 * Gives each agent its tools. Calls are counted and logged by tool and outcome, never by arguments ([tools.limits.2]).
 */
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
      // An invented name must be no label of a metric: it may be any text.
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

/** The body of a refusal with its status, so that a model can correct its call ([tools.calls.6]). */
function refusalOf({ status, body, retryAfter }: RouteAnswer): string {
  return JSON.stringify({
    status,
    ...(JSON.parse(body) as object),
    ...(retryAfter === null ? {} : { retryAfterSeconds: Number(retryAfter) }),
  })
}
