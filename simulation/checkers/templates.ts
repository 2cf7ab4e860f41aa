import type { StoredTemplate } from '../../src/ports/stores/template-store.ts'
import type { TemplateDeed } from '../accounts/clients.ts'
import type { Cluster } from '../cluster.ts'
import type { Checker } from './checker.ts'

/** What can be told apart of a template on either side. */
interface Seen {
  readonly name: string
  readonly externalId: string | null
  readonly status: string | null
  readonly text: string
}

function ofRow({ name, externalId, upstreamStatus, body }: StoredTemplate): Seen {
  return { name, externalId, status: upstreamStatus, text: body.body?.text ?? '' }
}

function upstreamOf({ platform }: Cluster): Seen[] {
  return platform.templates.map(({ name, externalId, status, components }) => {
    const body = components.find(({ type }) => type === 'BODY')
    return { name, externalId, status, text: String(body?.['text']) }
  })
}

function told({ name, externalId, status, text }: Seen): string {
  return `${name} ${externalId} ${status} "${text}"`
}

/** What upstream has of templates is what the rows have, one for one, and no row is in doubt. */
export const templatesAreAsUpstream: Checker = ({ cluster }) => {
  const { rows } = cluster.database.account
  const [own, theirs] = [rows().map(ofRow).map(told), upstreamOf(cluster).map(told)]
  return [
    ...rows().flatMap(({ name, ask }) => (ask ? [`what became of ${ask.kind} of ${name} is not known`] : [])),
    ...own.filter((one) => !theirs.includes(one)).map((one) => `the row of ${one} is not so upstream`),
    ...theirs.filter((one) => !own.includes(one)).map((one) => `upstream has ${one}, which is no row`),
    ...(new Set(own).size === own.length ? [] : ['a template has two rows']),
  ]
}

/** What the last client was told of a template holds, when nothing else was asked for it meanwhile or later. */
export const answersOfTemplatesHold: Checker = ({ cluster, deeds, removedByHand }) => {
  const shown = new Map(upstreamOf(cluster).map((one) => [one.name, one]))
  return [...Map.groupBy(deeds, ({ name }) => name)].flatMap(([name, all]) => {
    const last = lastOf(all)
    if (!last || removedByHand.has(name)) return []
    const text = shown.get(name)?.text ?? null
    return text === last.text ? [] : [`${last.kind} of ${name} was done: "${last.text}", upstream has "${text}"`]
  })
}

/** The last deed that was done; null when another one, which was not refused, was under way or came later. */
function lastOf(deeds: readonly TemplateDeed[]): TemplateDeed | null {
  const counted = deeds.filter(({ answer }) => answer !== 'refused')
  const last = counted.toSorted((one, other) => other.beganMs - one.beganMs)[0]
  const isAlone = counted.every((one) => one === last || (one.answer === 'done' && one.endedMs < (last?.beganMs ?? 0)))
  return last?.answer === 'done' && isAlone ? last : null
}
