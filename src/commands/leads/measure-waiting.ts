import type { LeadNode } from './node.ts'

/** Measures the leads that upstream told of and that are not stored yet, with one index read. */
export async function measureWaiting({ leadNotices, measures, clock }: LeadNode): Promise<void> {
  measures.waiting(await leadNotices.waiting(), clock.now())
}
