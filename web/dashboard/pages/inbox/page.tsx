import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Fault } from '../../../ui/session/answers.ts'
import type { words as english } from '../../../words/dashboard/inbox/en.ts'
import type { Like } from '../../../words/language.ts'
import { Asked, Empty, FaultLine } from '../../ground/asked.tsx'
import { SelectField } from '../../ground/form.tsx'
import { PageFrame } from '../../ground/page.tsx'
import { Badge } from '../../ground/shown.tsx'
import { useNumbers } from '../../ground/numbers.ts'
import type { ListedNumber } from '../../ground/numbers.ts'
import { useLive } from '../../ground/use-live.ts'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import { MountedInbox, NO_SUCH_ORIGIN, NOT_SHOWN } from './mounted-inbox.ts'
import './page.css'

type Words = Like<typeof english>

/** Numbers that one embed session may have ([embeds.routes.1]). */
const MOST_NUMBERS = 50

/** The inbox of the account's numbers: the one that customers embed, mounted by the same SDK. */
export function Page({ words, query }: PageProps<Words>) {
  const numbers = useNumbers()
  const [unread, count] = useState<number | null>(null)
  const known = numbers.body ?? []
  const [chosen, opened] = [query.get('numberId'), query.get('conversationId')]
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
            <Shown key={`${chosen} ${opened}`} {...{ words, all, chosen, opened, count }} />
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

/** The frame with the inbox, or why it is not there. */
function Chat({ words, ids, opened, count, children }: ChatProps & { readonly children?: ComponentChildren }) {
  const { api, language } = useApp()
  const place = useRef<HTMLDivElement>(null)
  const mounted = useRef<MountedInbox | null>(null)
  const [fault, failed] = useState<Fault | null>(null)
  useEffect(() => {
    if (place.current === null) return
    const inbox = new MountedInbox({
      api,
      place: place.current,
      numberIds: ids,
      conversationId: opened,
      title: words.heading,
      language,
      counted: count,
      failed,
    })
    mounted.current = inbox
    void inbox.begin()
    return () => {
      inbox.leave()
      count(null)
    }
  }, [])
  return (
    <>
      {children}
      {fault !== null && <FaultLine fault={fault} codes={codesOf(words)} again={() => void mounted.current?.begin()} />}
      <div class="inbox-place" data-inbox ref={place} />
    </>
  )
}

function codesOf({ shown }: Words) {
  return { [NOT_SHOWN]: shown.failed, [NO_SUCH_ORIGIN]: shown.address, NUMBER_NOT_FOUND: shown.gone }
}
