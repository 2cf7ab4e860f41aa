import type { SpanFacts, SpanName, Trace } from '../domain/trace.ts'

/** A piece of work that is recorded. */
export interface Span {
  /** What goes along with the work that this one causes. */
  readonly trace: Trace
  /** Ends it; `facts` became known meanwhile. A `code` says that it failed. Further calls do nothing. */
  end(facts?: SpanFacts): void
}

/**
 * Records what work takes ([operation.traces.1]). Nothing waits for it and nothing fails by it: while the collector is
 * away, spans are dropped.
 */
export interface Traces {
  /**
   * Begins work that came from outside with `header` as its `traceparent`, if any. Null when nothing is recorded of it.
   */
  arrived(name: SpanName, header: string | undefined, facts: SpanFacts): Span | null
  /** Begins work within a trace. Null when `within` is. */
  begin(name: SpanName, within: Trace | null, facts: SpanFacts): Span | null
}

/** Records nothing. */
export const NO_TRACES: Traces = { arrived: () => null, begin: () => null }
