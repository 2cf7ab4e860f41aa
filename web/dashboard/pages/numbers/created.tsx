import { kindOf } from '../../../../src/domain/kinds/kinds.ts'
import { CopyText, Secret } from '../../ground/shown.tsx'
import type { NumbersWords, ShownNumber } from '../pairing/number-facts.tsx'
import { Pairing } from '../pairing/pairing.tsx'

/** A number as the answer of its creation shows it, with what is never shown again. */
export interface CreatedNumber extends ShownNumber {
  readonly apiKey: { readonly key: string }
  /** OFFICIAL numbers alone ([official.create.3]). */
  readonly webhookUrl?: string
  readonly verifyToken?: string
}

interface CreatedProps {
  readonly words: NumbersWords
  readonly number: CreatedNumber
  /** Called once the number is connected. */
  connected(): void
}

/** A number that was just added: its key once, and the code for its phone. */
export function Created({ words, number, connected }: CreatedProps) {
  const { created } = words
  return (
    <section class="card" aria-labelledby="created" data-created={number.id}>
      <h2 id="created" dir="auto">
        {created.heading(number.name)}
      </h2>
      <Secret value={number.apiKey.key} label={created.key} />
      {number.verifyToken !== undefined && <Secret value={number.verifyToken} label={created.verifyToken} />}
      {number.webhookUrl !== undefined && (
        <p>
          {created.webhookUrl}: <CopyText text={number.webhookUrl} />
        </p>
      )}
      {kindOf(number).can.pairing && <Pairing numberId={number.id} words={words} done={connected} />}
      <p>
        <a class="link" href={`/dashboard/numbers/${number.id}`}>
          {created.open}
        </a>
      </p>
    </section>
  )
}
