import Plus from 'lucide/dist/esm/icons/plus.mjs'
import { useState } from 'preact/hooks'
import { Icon } from '../../../ui/icon.tsx'
import { Asked, Empty, useAsked } from '../../ground/asked.tsx'
import { List } from '../../ground/list.tsx'
import { PageFrame } from '../../ground/page.tsx'
import { Named, NumberName } from '../../ground/shown.tsx'
import { useLive } from '../../ground/use-live.ts'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import { CallingBadge, StateBadge, withNews, wordOfKind } from '../pairing/number-facts.tsx'
import type { NumbersWords, ShownNumber } from '../pairing/number-facts.tsx'
import { Created } from './created.tsx'
import type { CreatedNumber } from './created.tsx'
import { NewNumber } from './new-number.tsx'

/** The numbers of the account with their live state, and the way to a new one. */
export function Page({ words }: PageProps<NumbersWords>) {
  const { api, can } = useApp()
  const [isAdding, add] = useState(false)
  const [created, create] = useState<CreatedNumber | null>(null)
  const numbers = useAsked((signal) => api.get<readonly ShownNumber[]>('/api/v1/numbers', { signal }), [])
  useLive({
    number(frame) {
      // A number that is not in the list was added elsewhere.
      if (numbers.body?.every(({ id }) => id !== frame.id)) numbers.again()
      numbers.change((now) => now.map((one) => withNews(one, frame)))
    },
    event({ event }) {
      if (event === 'number.removed') numbers.again()
    },
  })
  function begin(): void {
    create(null)
    add(true)
  }
  function end(number: CreatedNumber): void {
    add(false)
    create(number)
    numbers.again()
  }
  return (
    <PageFrame
      name="numbers"
      heading={words.heading}
      actions={can('numbers:manage') && !isAdding && <AddButton words={words} add={begin} />}
    >
      {isAdding && <NewNumber words={words} close={() => add(false)} done={end} />}
      {created !== null && <Created key={created.id} words={words} number={created} connected={numbers.again} />}
      <Asked of={numbers}>
        {(all) => (all.length === 0 ? <Empty text={words.none} /> : <NumberList words={words} numbers={all} />)}
      </Asked>
    </PageFrame>
  )
}

function AddButton({ words, add }: { readonly words: NumbersWords; add(): void }) {
  return (
    <button type="button" class="button primary" data-action="new" onClick={add}>
      <Icon of={Plus} size={18} />
      {words.add}
    </button>
  )
}

function NumberList({ words, numbers }: { readonly words: NumbersWords; readonly numbers: readonly ShownNumber[] }) {
  const { name, kind, state, calling } = words.columns
  return (
    <List
      label={words.heading}
      items={numbers}
      columns={[name, kind, state, calling]}
      hooksOf={({ id, state }) => ({ id, state })}
      row={(number) => [
        <span key="name">
          <a class="link" href={`/dashboard/numbers/${number.id}`}>
            <NumberName name={number.name} number={number.number} />
          </a>
        </span>,
        <span key="kind">{words.kinds[wordOfKind(number)]}</span>,
        <StateBadge key="state" number={number} words={words} />,
        <Named key="calling" name={calling}>
          <CallingBadge calling={number.calling} words={words} />
        </Named>,
      ]}
    />
  )
}
