import { useState } from 'preact/hooks'
import { CopyButton } from '../../../ui/copy-button.tsx'
import type { Fault } from '../../../ui/session/answers.ts'
import { Asked, Empty, useAsked } from '../../ground/asked.tsx'
import { Confirm } from '../../ground/confirm.tsx'
import { List } from '../../ground/list.tsx'
import { PageFrame } from '../../ground/page.tsx'
import { NumberName, Secret } from '../../ground/shown.tsx'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import type { KeysWords } from './keys-words.ts'
import { TenantKey } from './tenant-key.tsx'

/** The key of a number as the list shows it ([keys.routes.4]). */
interface NumberKey {
  readonly numberId: string
  /** Digits. */
  readonly number: string
  readonly displayName: string
  readonly keyLast4: string
  /** Null where it cannot be shown. */
  readonly key: string | null
  readonly revealable: boolean
}

/** The keys: that of the account apart, and one for each number. */
export function Page({ words }: PageProps<KeysWords>) {
  return (
    <PageFrame name="keys" heading={words.heading}>
      <TenantKey words={words} />
      <NumberKeys words={words} />
    </PageFrame>
  )
}

/** A key that was just made, which is shown once. */
interface Made {
  readonly name: string
  readonly key: string
}

function NumberKeys({ words }: { readonly words: KeysWords }) {
  const { api } = useApp()
  const keys = useAsked((signal) => api.get<readonly NumberKey[]>('/api/v1/api-keys', { signal }), [])
  const [rotated, rotate] = useState<NumberKey | null>(null)
  const [made, show] = useState<Made | null>(null)
  const { numbers } = words
  async function act(): Promise<Fault | null> {
    if (rotated === null) return null
    const { body, fault } = await api.post<{ readonly key: string }>('/api/v1/api-keys', {
      channelNumberId: rotated.numberId,
    })
    if (fault) return fault
    show({ name: rotated.displayName, key: body.key })
    rotate(null)
    keys.again()
    return null
  }
  return (
    <section class="part" aria-labelledby="number-keys">
      <h2 id="number-keys">{numbers.heading}</h2>
      <p class="muted">{numbers.text}</p>
      {made !== null && <Secret key={made.key} value={made.key} label={numbers.shown(made.name)} />}
      <Asked of={keys}>
        {(all) =>
          all.length === 0 ? <Empty text={numbers.none} /> : <KeyList words={words} keys={all} rotate={rotate} />
        }
      </Asked>
      {rotated !== null && (
        <Confirm
          heading={numbers.ask(rotated.displayName)}
          text={numbers.warning}
          name={rotated.displayName}
          label={numbers.rotate}
          act={act}
          close={() => rotate(null)}
        />
      )}
    </section>
  )
}

interface KeyListProps {
  readonly words: KeysWords
  readonly keys: readonly NumberKey[]
  rotate(key: NumberKey): void
}

function KeyList({ words: { numbers }, keys, rotate }: KeyListProps) {
  return (
    <List
      label={numbers.heading}
      items={keys}
      columns={[numbers.name, numbers.key, '']}
      hooksOf={({ numberId }) => ({ id: numberId })}
      row={(one) => [
        <span key="name">
          <NumberName name={one.displayName} number={one.number} />
        </span>,
        <KeyShown key="key" words={numbers} of={one} />,
        <button key="rotate" type="button" class="button quiet small" data-action="rotate" onClick={() => rotate(one)}>
          {numbers.rotate}
          <span class="unseen"> {one.displayName}</span>
        </button>,
      ]}
    />
  )
}

/** The end of a key, and the whole of it where it can be shown and somebody wants to see it. */
function KeyShown({
  words,
  of: { displayName, key, keyLast4, revealable },
}: {
  readonly words: KeysWords['numbers']
  readonly of: NumberKey
}) {
  const { words: ground, clock } = useApp()
  const [isShown, show] = useState(false)
  if (!revealable || key === null)
    return (
      <span>
        <span data-last4>{words.ends(keyLast4)}</span> <span class="hint">{words.legacy}</span>
      </span>
    )
  return (
    <span class="copied">
      {isShown ? (
        <code data-secret dir="ltr">
          {key}
        </code>
      ) : (
        <span data-last4>{words.ends(keyLast4)}</span>
      )}
      <button
        type="button"
        class="button quiet small"
        data-action="reveal"
        aria-pressed={isShown}
        onClick={() => show(!isShown)}
      >
        {isShown ? words.hide : words.reveal}
        <span class="unseen"> {displayName}</span>
      </button>
      <CopyButton text={key} words={ground.copy} clock={clock} />
    </span>
  )
}
