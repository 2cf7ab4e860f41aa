import type { ComponentChildren } from 'preact'
import { useApp } from '../shell/app.ts'
import { Asked, Empty } from './asked.tsx'
import { SelectField } from './form.tsx'
import { useNumbers } from './numbers.ts'
import type { ListedNumber } from './numbers.ts'

interface OfNumberProps {
  /** The id of a number, as the address names it. */
  readonly wanted: string | null
  readonly children: (number: ListedNumber, all: readonly ListedNumber[]) => ComponentChildren
}

/** Draws what is read for one number: the one that the address names, else the first one of the account. */
export function OfNumber({ wanted, children }: OfNumberProps) {
  const { words } = useApp()
  const numbers = useNumbers()
  return (
    <Asked of={numbers}>
      {(all) => {
        const chosen = all.find(({ id }) => id === wanted) ?? all[0]
        if (chosen !== undefined) return children(chosen, all)
        return (
          <Empty text={words.ofNumber.none}>
            <a class="link" href="/dashboard/numbers">
              {words.ofNumber.add}
            </a>
          </Empty>
        )
      }}
    </Asked>
  )
}

interface NumberFieldProps {
  readonly chosen: ListedNumber
  readonly all: readonly ListedNumber[]
  /** Names in the query that belong to the number chosen before, such as filters. */
  readonly drops?: readonly string[]
}

/** The field that chooses the number; the choice stands in the address. */
export function NumberField({ chosen, all, drops = [] }: NumberFieldProps) {
  const { words, router } = useApp()
  return (
    <SelectField
      label={words.ofNumber.number}
      name="number"
      value={chosen.id}
      options={all.map(({ id, name, number }) => ({ value: id, label: `${name} (+${number})` }))}
      change={(value) => router.ask({ ...Object.fromEntries(drops.map((name) => [name, null])), number: value })}
    />
  )
}
