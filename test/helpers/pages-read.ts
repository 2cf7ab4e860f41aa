import type { Database, SqlParameter } from '../../src/storage/engine/database.ts'

/** A node of a plan, with the pages that it and those below it read. */
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly PlanNode[]
}

/** What a statement read. */
export interface PagesRead {
  /** Pages of 8 KB. */
  readonly count: number
  /** The nodes of its plan that read most of them, each without those below it. */
  readonly most: string
}

const MOST_NODES = 4

/** Runs a statement on PostgreSQL, and gives the pages that it reads. */
export async function pagesRead(database: Database, sql: string, parameters: SqlParameter[]): Promise<PagesRead> {
  const rows = await database.query<{ 'QUERY PLAN': string | [{ Plan: PlanNode }] }>(
    `explain (analyze, buffers, format json) ${sql}`,
    parameters,
  )
  const plan = rows[0]?.['QUERY PLAN'] ?? '[]'
  const [{ Plan: top }] = typeof plan === 'string' ? (JSON.parse(plan) as [{ Plan: PlanNode }]) : plan
  const most = nodesOf(top)
    .map((node) => ({ node, own: pagesOf(node) - (node.Plans ?? []).reduce((sum, below) => sum + pagesOf(below), 0) }))
    .toSorted((a, b) => b.own - a.own)
    .slice(0, MOST_NODES)
    .map(({ node, own }) => `${own} ${node['Node Type']} ${node['Index Name'] ?? node['Relation Name'] ?? ''}`.trim())
    .join(', ')
  return { count: pagesOf(top), most }
}

function pagesOf(node: PlanNode): number {
  return node['Shared Hit Blocks'] + node['Shared Read Blocks']
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}
