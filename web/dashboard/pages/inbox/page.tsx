import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Asked, Empty, FaultLine } from '../../ground/asked.tsx'
import { SelectField } from '../../ground/form.tsx'
import { PageFrame } from '../../ground/page.tsx'
import { Badge } from '../../ground/shown.tsx'
import { useNumbers } from '../../ground/numbers.ts'
import type { ListedNumber } from '../../ground/numbers.ts'
import { useLive } from '../../ground/use-live.ts'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import { Aside } from './aside.tsx'
import type { InboxWords as Words } from './handling.ts'
import { NO_SUCH_ORIGIN, NOT_SHOWN } from './mounted-inbox.ts'
import { useMountedInbox } from './use-mounted-inbox.ts'
import './page.css'

/** Numbers that one embed session may have ([embeds.routes.1]). */
const MOST_NUMBERS = 50

/** The inbox of the account's numbers: the one that customers embed, mounted by the same SDK. */
export function Page({ words, query }: PageProps<Words>) {
  const numbers = useNumbers()
  const [unread, count] = useState<number | null>(null)
  const known = numbers.body ?? []
  const [chosen, opened] = [query.get('numberId'), query.get('conversationId')]
  const isHandled = query.get('handling') !== null
  useLive({
    number({ id }) {
      if (numbers.body !== null && !known.some((one) => one.id === id)) numbers.again()
    },
  })
  return (
    <PageFrame
      name="inbox"
      heading={words.heading}
      actions={
        <>
          <a class="link" href="/dashboard/inbox/replies">
            {words.replies}
          </a>
          <Unread words={words} count={unread} />
          <HandlingButton words={words} isShown={isHandled} />
          {known.length > 1 && <NumberFilter words={words} numbers={known} chosen={chosen} />}
        </>
      }
    >
      <Asked of={numbers}>
        {(all) =>
          all.length === 0 ? (
            <Empty text={words.none}>
              <a class="link" href="/dashboard/numbers">
                {words.toNumbers}
              </a>
            </Empty>
          ) : (
            <Shown key={`${chosen} ${opened}`} {...{ words, all, chosen, opened, isHandled, count }} />
          )
        }
      </Asked>
    </PageFrame>
  )
}

interface ShownProps extends Omit<ChatProps, 'ids'> {
  readonly all: readonly ListedNumber[]
  /** The id of the number that is shown; null for all of them. */
  readonly chosen: string | null
}

function Shown({ all, chosen, ...rest }: ShownProps) {
  return chosen === null ? (
    <Together ids={all.slice(0, MOST_NUMBERS).map(({ id }) => id)} {...rest} />
  ) : (
    <Chat ids={[chosen]} {...rest} />
  )
}

function Unread({ words, count }: { readonly words: Words; readonly count: number | null }) {
  if (count === null) return null
  return <span data-unread={count}>{count > 0 && <Badge tone="calm" text={words.unread(count)} />}</span>
}

/** Shows whose conversations are and the notes on them, or hides that again; the choice stands in the address. */
function HandlingButton({ words, isShown }: { readonly words: Words; readonly isShown: boolean }) {
  const { router } = useApp()
  return (
    <button
      type="button"
      class="button quiet small"
      data-action="handling"
      aria-pressed={isShown}
      onClick={() => router.ask({ handling: isShown ? null : '1' })}
    >
      {words.handling.heading}
    </button>
  )
}

interface FilterProps {
  readonly words: Words
  readonly numbers: readonly ListedNumber[]
  /** Null while all are shown. */
  readonly chosen: string | null
}

/** Which number is shown; the choice stands in the address. */
function NumberFilter({ words, numbers, chosen }: FilterProps) {
  const { router } = useApp()
  const isTooMany = numbers.length > MOST_NUMBERS
  return (
    <div class="filters">
      <SelectField
        label={words.number}
        name="numberId"
        value={chosen ?? ''}
        {...(isTooMany ? { hint: words.firstHint(MOST_NUMBERS) } : {})}
        options={[
          { value: '', label: isTooMany ? words.first(MOST_NUMBERS) : words.all },
          ...numbers.map(({ id, name, number }) => ({ value: id, label: `${name} +${number}` })),
        ]}
        change={(id) => router.ask({ numberId: id === '' ? null : id, conversationId: null })}
      />
    </div>
  )
}

interface ChatProps {
  readonly words: Words
  /** The numbers at the time when the inbox is mounted. */
  readonly ids: readonly string[]
  /** The conversation that the address names, which is open at first; null for none. */
  readonly opened: string | null
  /** Whether it is shown whose conversations are, with the notes on them. */
  readonly isHandled: boolean
  readonly count: (unread: number | null) => void
}

/** The inbox of all numbers. A number that comes later is offered, because another session loses what is typed. */
function Together({ ids, ...rest }: ChatProps) {
  const [shown, show] = useState(ids)
  const isAdded = ids.some((id) => !shown.includes(id))
  return (
    <Chat key={shown.join(' ')} ids={shown} {...rest}>
      {isAdded && (
        <div class="news added" role="status" data-added>
          <p>{rest.words.added}</p>
          <button type="button" class="button quiet small" data-action="show-added" onClick={() => show(ids)}>
            {rest.words.addedShow}
          </button>
        </div>
      )}
    </Chat>
  )
}

/** The frame with the inbox, or why it is not there, and beside it how its conversations are handled. */
function Chat({
  words,
  ids,
  opened,
  isHandled,
  count,
  children,
}: ChatProps & { readonly children?: ComponentChildren }) {
  const { router } = useApp()
  const inbox = useMountedInbox({ ids, opened, title: words.heading, count })
  /** One of another number is opened in an inbox of that number. */
  function open(conversationId: string, numberId: string): void {
    if (ids.includes(numberId)) inbox.open(conversationId)
    else router.ask({ numberId, conversationId })
  }
  return (
    <>
      {children}
      {inbox.fault !== null && <FaultLine fault={inbox.fault} codes={codesOf(words)} again={inbox.again} />}
      <div class={isHandled ? 'inbox-desk handled' : 'inbox-desk'}>
        <div class="inbox-place" data-inbox ref={inbox.place} />
        {isHandled && <Aside words={words} conversationId={inbox.conversationId} open={open} />}
      </div>
    </>
  )
}

function codesOf({ shown }: Words) {
  return { [NOT_SHOWN]: shown.failed, [NO_SUCH_ORIGIN]: shown.address, NUMBER_NOT_FOUND: shown.gone }
}
