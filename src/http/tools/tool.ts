import type { JsonSchema } from './json-schema.ts'
import type { Route } from '../request/route.ts'

/** What the table says of a tool; all else follows from its route ([tools.calls.1]). */
export interface ToolFacts {
  readonly name: string
  /** Name of the tool's route. */
  readonly route: string
  readonly title: string
  /** What the tool does, what it costs or cannot undo ([tools.annotations.3]). */
  readonly description: string
  /** Set when the effect cannot be taken back ([tools.annotations.1]). */
  readonly isDestructive?: true
  /** Set when the tool only reads, though its route is no GET. */
  readonly isRead?: true
  /** Set when calling it twice has the effect of calling it once, though its route is no GET, PUT, PATCH or DELETE. */
  readonly isRepeatable?: true
  /** Set when the tool reaches a person or upstream ([tools.annotations.2]). */
  readonly reachesOut?: true
  /** Set when the answer holds texts of customers. */
  readonly holdsTexts?: true
  /** Name of the list, set when the route answers a bare array ([tools.calls.5]). */
  readonly listName?: string
  /** Fields of the route's answer that no tool shows. */
  readonly withheld?: readonly string[]
  /** What the tool takes less than its route. */
  readonly narrowed?: Narrowing
}

/** What a tool takes less than its route does. */
export interface Narrowing {
  /** Changes the fields of the route into those of the tool. */
  readonly schema: (fields: Readonly<Record<string, JsonSchema>>) => Readonly<Record<string, JsonSchema>>
  /** What is wrong with arguments that the route would take; null when nothing is. */
  readonly fault: (args: Readonly<Record<string, unknown>>) => ArgumentFault | null
}

export interface ArgumentFault {
  /** The path of the argument, with dots. */
  readonly path: string
  readonly message: string
}

/** Where an argument of a tool goes in its route's request. */
export interface ToolField {
  readonly at: 'path' | 'query' | 'body' | 'number' | 'idempotency'
  readonly schema: JsonSchema
  readonly isRequired: boolean
}

/** A tool as it is listed (MCP 2026-07-28, Tool). */
export interface ToolDefinition {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonSchema & { readonly type: 'object' }
  readonly outputSchema: JsonSchema & { readonly type: 'object' }
  readonly annotations: {
    readonly title: string
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
}

export interface Tool {
  readonly facts: ToolFacts
  readonly route: Route
  /** The fields by name, in the order listed. */
  readonly fields: ReadonlyMap<string, ToolField>
  readonly definition: ToolDefinition
}
