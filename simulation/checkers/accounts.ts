import type { Deed } from '../accounts/deeds.ts'
import type { Cluster } from '../cluster.ts'
import type { Checker } from './checker.ts'

/** A template or a Flow as one side has it, in one line. */
function templateRows({ database }: Cluster): string[] {
  return database.account
    .templates()
    .map(({ name, externalId, upstreamStatus, body }) => `${name} ${externalId} ${upstreamStatus} "${body.body?.text}"`)
}

function templatesUpstream({ platform }: Cluster): string[] {
  return platform.templates.all.map(
    ({ name, externalId, status, components }) => `${name} ${externalId} ${status} "${textOf(components)}"`,
  )
}

function textOf(components: readonly { readonly [field: string]: unknown }[]): unknown {
  return components.find(({ type }) => type === 'BODY')?.['text']
}

/** A Flow that upstream refused has no other side. */
function flowRows({ database }: Cluster): string[] {
  return database.account
    .flows()
    .filter(({ officialFlowId, syncError }) => officialFlowId !== null || syncError === null)
    .map(({ name, officialFlowId, officialStatus }) => `${name} ${officialFlowId} ${officialStatus}`)
}

function flowsUpstream({ platform }: Cluster): string[] {
  return platform.flows.all.map(({ name, externalId, status }) => `${name} ${externalId} ${status}`)
}

function compared(rows: readonly string[], upstream: readonly string[]): string[] {
  return [
    ...rows.filter((one) => !upstream.includes(one)).map((one) => `the row of ${one} is not so upstream`),
    ...upstream.filter((one) => !rows.includes(one)).map((one) => `upstream has ${one}, which is no row`),
    ...(new Set(rows).size === rows.length ? [] : [`two rows are the same: ${rows.join(', ')}`]),
  ]
}

/** What upstream has of templates and of Flows is what the rows have, one for one. */
export const accountIsAsUpstream: Checker = ({ cluster }) => [
  ...compared(templateRows(cluster), templatesUpstream(cluster)),
  ...compared(flowRows(cluster), flowsUpstream(cluster)),
]

/** It is known what became of everything that upstream was asked. */
export const nothingIsInDoubt: Checker = ({ cluster: { database } }) =>
  [...database.account.templates(), ...database.account.flows()].flatMap(({ name, ask }) =>
    ask ? [`what became of ${ask.kind} of ${name} is not known`] : [],
  )

/** What the last client was told of a template or a Flow holds. */
export const answersOfAccountsHold: Checker = ({ cluster, accounts: { templates, flows } }) => {
  const texts = new Map(cluster.platform.templates.all.map(({ name, components }) => [name, textOf(components)]))
  const ofTemplates = templates.deeds
    .lasting()
    .filter(({ name }) => !templates.removedByHand.has(name))
    .flatMap((deed) => held(deed, texts.get(deed.name) ?? null))
  return [...ofTemplates, ...flows.deeds.lasting().flatMap((deed) => heldOfFlow(cluster, deed))]
}

function held({ kind, name, value }: Deed, found: unknown): string[] {
  return found === value ? [] : [`${kind} of ${name} was done: ${value}, found is ${String(found)}`]
}

function heldOfFlow({ database, platform }: Cluster, deed: Deed): string[] {
  if (deed.kind === 'create') return []
  const row = database.account.flows().find(({ id }) => id === deed.name)
  const upstream = platform.flows.all.find(({ externalId }) => externalId === row?.officialFlowId)
  if (deed.kind === 'document') return held(deed, upstream?.document)
  if (deed.kind === 'rename') return held(deed, row?.name)
  return held(deed, row?.officialStatus ?? null)
}
