import { read } from '../fault.ts'
import type { Read } from '../fault.ts'
import type { Maybe } from '../send-body.ts'

/** A card of a person or a company, as a body writes it. A text stands for the value without a type. */
export interface ContactBody {
  readonly name: { readonly formatted: string; readonly first?: Maybe<string>; readonly last?: Maybe<string> }
  readonly phones: readonly { readonly phone: string; readonly type?: Maybe<string> }[]
  readonly emails?: Maybe<readonly (string | { readonly email: string; readonly type?: Maybe<string> })[]>
  readonly org?: Maybe<
    string | { readonly company?: Maybe<string>; readonly department?: Maybe<string>; readonly title?: Maybe<string> }
  >
  readonly urls?: Maybe<readonly (string | { readonly url: string; readonly type?: Maybe<string> })[]>
}

/** A card without fields that say nothing. */
export interface ContactCard {
  readonly name: { readonly formatted: string; readonly first?: string; readonly last?: string }
  readonly phones: readonly { readonly phone: string; readonly type?: string }[]
  readonly emails?: readonly { readonly email: string; readonly type?: string }[]
  readonly org?: { readonly company?: string; readonly department?: string; readonly title?: string }
  readonly urls?: readonly { readonly url: string; readonly type?: string }[]
}

export interface ContactsMode {
  readonly mode: 'contacts'
  readonly contacts: readonly ContactCard[]
}

/** Leaves out null and absent fields, and empty texts, which mean the same in a body. */
function said<T extends object>(fields: T): { [F in keyof T]: Exclude<T[F], null | undefined> } {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  ) as { [F in keyof T]: Exclude<T[F], null | undefined> }
}

function cardOf({ name, phones, emails, org, urls }: ContactBody): ContactCard {
  const company = typeof org === 'string' ? { company: org } : said(org ?? {})
  return {
    name: said(name),
    phones: phones.map(said),
    ...(emails?.length ? { emails: emails.map((email) => (typeof email === 'string' ? { email } : said(email))) } : {}),
    ...(Object.keys(company).length > 0 ? { org: company } : {}),
    ...(urls?.length ? { urls: urls.map((url) => (typeof url === 'string' ? { url } : said(url))) } : {}),
  } as ContactCard
}

/** Reads cards ([message-verbs.modes.2]). */
export function readContacts(contacts: readonly ContactBody[]): Read<ContactsMode> {
  return read({ mode: 'contacts', contacts: contacts.map(cardOf) })
}

/** The cards in upstream's form, which the bridge has too. */
export function upstreamContacts({ contacts }: ContactsMode) {
  return contacts.map(({ name: { formatted, first, last }, ...others }) => ({
    name: {
      formatted_name: formatted,
      // Upstream wants another part of the name beside the whole.
      ...(first === undefined && last === undefined ? { first_name: formatted } : {}),
      ...(first === undefined ? {} : { first_name: first }),
      ...(last === undefined ? {} : { last_name: last }),
    },
    ...others,
  }))
}
