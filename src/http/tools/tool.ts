import type { JsonSchema } from './json-schema.ts'
import type { Route } from '../request/route.ts'

/** What the table says of a tool; all else follows from its route (contract 15). */
export interface ToolFacts {
  readonly name: string
  /** Name of the route that it is. */
  readonly route: string
  readonly title: string
  /** What it does, what it costs or cannot undo. */
  readonly description: string
  /** What it does cannot be taken back. */
  readonly isDestructive?: true
  /** Reads, though its route is no GET. */
  readonly isRead?: true
  /** Doing it twice is doing it once, though its route is no GET, PUT, PATCH or DELETE. */
  readonly isRepeatable?: true
  /** A person, or something outside of the service, is reached. */
  readonly reachesOut?: true
  /** The answer holds what people outside wrote. */
  readonly holdsTexts?: true
  /** Name of the list, where the route answers a bare one. */
  readonly listName?: string
  /** Fields of the route's answer that no tool shows. */
  readonly withheld?: readonly string[]
  /** What it takes less than its route. */
  readonly narrowed?: Narrowing
}

/** What a tool takes less than its route does. */
export interface Narrowing {
  /** Of the fields as the route has them. */
  readonly schema: (fields: Readonly<Record<string, JsonSchema>>) => Readonly<Record<string, JsonSchema>>
  /** What is wrong with arguments that the route would take; null: nothing. */
  readonly fault: (args: Readonly<Record<string, unknown>>) => ArgumentFault | null
}

export interface ArgumentFault {
  /** Where, with dots. */
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
  /** By name, in the order listed. */
  readonly fields: ReadonlyMap<string, ToolField>
  readonly definition: ToolDefinition
}
