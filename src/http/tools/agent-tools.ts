import type { Arguments } from './arguments.ts'
import type { ToolDefinition } from './tool.ts'

/** The result of a call: the answer of the route, or its refusal. */
export interface ToolResult {
  /** An object as JSON. */
  readonly text: string
  readonly isRefused: boolean
}

/** Tools as they are listed, and the same as JSON: 140 KB, written once for all callers with the same tools. */
export interface ToolList {
  readonly definitions: readonly ToolDefinition[]
  readonly json: Buffer
}

/** The tools as one caller sees them. */
export interface AgentTools {
  readonly list: () => ToolList
  /** Calls a tool; null when there is none of this name. */
  readonly call: (name: string, args: Arguments) => Promise<ToolResult | null>
}
