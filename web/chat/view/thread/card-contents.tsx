import MapPin from 'lucide/dist/esm/icons/map-pin.mjs'
import UserRound from 'lucide/dist/esm/icons/user-round.mjs'
import { Icon } from '../../../ui/icon.tsx'
import type { Message } from '../../model/message.ts'
import { useDrawn } from '../context.ts'

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

/** A location with a link to a map. The map is another host's, so nothing of it is loaded here. */
export function LocationContent({ message: { location } }: { readonly message: Message }) {
  const { words } = useDrawn()
  const { name, address, latitude, longitude } = fields(location)
  const [lat, lon] = [Number(latitude), Number(longitude)]
  const isPlace = Number.isFinite(lat) && Number.isFinite(lon)
  return (
    <p class="card">
      <Icon of={MapPin} />
      <span dir="auto">{text(name) ?? text(address) ?? words.types.location}</span>
      {text(name) !== null && text(address) !== null && text(address) !== text(name) && (
        <span class="card-number" dir="auto">
          {text(address)}
        </span>
      )}
      {isPlace && (
        <a href={`https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}`} target="_blank" rel="noopener noreferrer">
          {words.message.openMap}
        </a>
      )}
    </p>
  )
}

/**
 * Contact cards with names and numbers. The upstream sends a name as an object or as one string, and what was sent by
 * the API has names of its own; all are read.
 */
export function ContactsContent({ message: { contacts } }: { readonly message: Message }) {
  const { words } = useDrawn()
  return (
    <ul class="cards">
      {(contacts ?? []).map(fields).map((contact, at) => (
        <li key={at} class="card">
          <Icon of={UserRound} />
          <span dir="auto">{nameOf(contact['name']) ?? words.types.contacts}</span>
          {numbersOf(contact).map((number) => (
            <span key={number} class="card-number">
              {number}
            </span>
          ))}
        </li>
      ))}
    </ul>
  )
}

function nameOf(name: unknown): string | null {
  const { formatted, formatted_name: upstream } = fields(name)
  return text(upstream) ?? text(formatted) ?? text(name)
}

function numbersOf(contact: Readonly<Record<string, unknown>>): readonly string[] {
  const phones = Array.isArray(contact['phones']) ? contact['phones'] : [contact]
  return phones
    .map(fields)
    .map(({ phone, number }) => text(phone) ?? text(number))
    .filter((one) => one !== null)
}

/** What a sent list or poll offers to choose from. */
export function Choices({ of }: { readonly of: Message['interactive'] }) {
  const { words } = useDrawn()
  const { type, button, sections, options, multiple } = fields(of)
  const isPoll = type === 'poll'
  const rows: readonly Choice[] = isPoll
    ? listOf(options).map((title) => ({ title: text(title), description: null, isHead: false }))
    : listOf(sections).flatMap(rowsOf)
  if (rows.length === 0) return null
  return (
    <>
      <ul class={`choices ${isPoll ? 'poll' : ''} ${multiple === true ? 'many' : ''}`} role="list" data-choices>
        {rows.map(({ title, description, isHead }, at) => (
          <li key={at} class={isHead ? 'choice-head' : ''} dir="auto">
            {title}
            {description !== null && <span class="choice-more">{description}</span>}
          </li>
        ))}
      </ul>
      <p class="sent-button" dir="auto">
        {isPoll ? words.message.poll(multiple === true) : text(button)}
      </p>
    </>
  )
}

interface Choice {
  readonly title: string | null
  readonly description: string | null
  /** The title of a section, which cannot be chosen. */
  readonly isHead: boolean
}

function rowsOf(section: unknown): readonly Choice[] {
  const { title, rows } = fields(section)
  const head = text(title)
  return [
    ...(head === null ? [] : [{ title: head, description: null, isHead: true }]),
    ...listOf(rows)
      .map(fields)
      .map((row) => ({ title: text(row['title']), description: text(row['description']), isHead: false })),
  ]
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** What the person chose of buttons or a list, when the text of the message does not say it already. */
export function InteractiveContent({ message: { interactive, content } }: { readonly message: Message }) {
  const reply = Object.values(fields(interactive))
    .map(fields)
    .find((one) => text(one['title']) !== null)
  const title = reply && text(reply['title'])
  return title && title !== content ? <p dir="auto">{title}</p> : null
}
