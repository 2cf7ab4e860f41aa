import { identityKindOf, type Identity } from '../../domain/identity.ts'

/**
 * SQL of what else leads to conversation `c`, as JSON; null when nothing does, or when `isShown` is false. The address
 * that names the conversation has a row of its own only once another one is better to answer to.
 */
export function identitiesSql(isShown: string): string {
  return `case when ${isShown} then (select json_agg(json_build_object('value', a.address, 'since', coalesce(a.since, a.created_at)) order by coalesce(a.since, a.created_at), a.id)::text
      from conversation_aliases a where a.conversation_id = c.id and a.address is not null) end`
}

/** Gives all that the peer of a conversation is known by, the address to answer to first; none when it is withheld. */
export function identitiesOf(row: {
  readonly peer: string | null
  readonly created_at: string
  readonly identities: string | null
}): readonly Identity[] {
  if (row.peer === null) return []
  const told = JSON.parse(row.identities ?? '[]') as readonly { readonly value: string; readonly since: string }[]
  const since = new Map([[row.peer, row.created_at], ...told.map((one) => [one.value, one.since] as const)])
  return [...since].map(([value, at]) => ({ kind: identityKindOf(value), value, since: new Date(at) }))
}
