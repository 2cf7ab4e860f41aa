import type { Arguments } from './arguments.ts'
import type { ToolDefinition } from './tool.ts'

/** What a call comes to: what the route answered, or how it refused. */
export interface ToolResult {
  /** JSON of an object. */
  readonly text: string
  readonly isRefused: boolean
}

/** Tools as they are listed, and that as JSON: 140 KB, written once for all who may use the same ones. */
export interface ToolList {
  readonly definitions: readonly ToolDefinition[]
  readonly json: Buffer
}

/** The tools as one caller sees them. */
export interface AgentTools {
  readonly list: () => ToolList
  /** Null: there is no tool of this name. */
  readonly call: (name: string, args: Arguments) => Promise<ToolResult | null>
}
