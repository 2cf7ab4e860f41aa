import { useState } from 'preact/hooks'
import { ON_DISCONNECT, DIALECTS } from '../../../../src/domain/realtime-session.ts'
import { UNREACHABLE_BOTS, VOICE_ANSWERS } from '../../../../src/domain/number-voice.ts'
import type { NumberVoice } from '../../../../src/domain/number-voice.ts'
import type { Fault } from '../../../ui/session/answers.ts'
import { FaultLine } from '../../ground/asked.tsx'
import { CheckField, Form, SelectField, TextField } from '../../ground/form.tsx'
import { useApp } from '../../shell/app.ts'
import type { ShownNumber } from '../pairing/number-facts.tsx'
import type { NumberWords } from './number-words.ts'

interface VoiceFormProps {
  readonly words: NumberWords
  readonly number: ShownNumber
  take(newer: ShownNumber): void
}

/** The bot server that answers calls of a number, with the field names of the API ([voice.number-setting.1]). */
export function VoiceForm({ words, number, take }: VoiceFormProps) {
  const { api, say, words: ground } = useApp()
  const { voice: texts } = words
  const path = `/api/v1/numbers/${number.id}`
  const taken = (newer: ShownNumber): void => {
    take(newer)
    say(ground.saved)
  }
  return (
    <section class="card" aria-labelledby="voice">
      <h2 id="voice">{texts.heading}</h2>
      <p class="hint">{texts.text}</p>
      <Form<ShownNumber>
        key={number.voice?.connectTo ?? ''}
        name="voice"
        submit={ground.save}
        codes={words.codes}
        send={(fields) => api.patch(path, { voice: voiceOf(fields, number.voice) })}
        done={taken}
        more={number.voice !== null && <Remove words={words} path={path} taken={taken} />}
      >
        <Fields words={words} voice={number.voice} />
      </Form>
    </section>
  )
}

type FieldsProps = Pick<VoiceFormProps, 'words'> & Pick<ShownNumber, 'voice'>

function Fields({ words, voice }: FieldsProps) {
  const { voice: texts } = words
  const names = voice?.headerNames ?? []
  return (
    <>
      <TextField
        label={texts.connectTo}
        name="voice.connectTo"
        type="url"
        hint={texts.connectToHint}
        value={voice?.connectTo ?? ''}
        placeholder="wss://"
        isRequired
      />
      <TextField
        label={texts.authorization}
        name="voice.headers"
        type="password"
        hint={names.length === 0 ? texts.authorizationHint : texts.headersStored(names.join(', '))}
      />
      <Choices words={words} voice={voice} />
      <CheckField label={texts.record} name="voice.record" isChecked={voice?.record ?? false} />
    </>
  )
}

/** What is chosen of a few values. */
function Choices({ words: { voice: texts }, voice }: FieldsProps) {
  const options = <T extends string>(values: readonly T[], labels: Readonly<Record<T, string>>) =>
    values.map((value) => ({ value, label: labels[value] }))
  return (
    <>
      <SelectField
        label={texts.dialect}
        name="voice.dialect"
        options={options(DIALECTS, texts.dialects)}
        value={voice?.dialect ?? 'native'}
      />
      <SelectField
        label={texts.answer}
        name="voice.answer"
        options={options(VOICE_ANSWERS, texts.answers)}
        value={voice?.answer ?? 'accept'}
      />
      <SelectField
        label={texts.onUnreachable}
        name="voice.onUnreachable"
        options={options(UNREACHABLE_BOTS, texts.unreachable)}
        value={voice?.onUnreachable ?? 'ring'}
      />
      <SelectField
        label={texts.onDisconnect}
        name="voice.onDisconnect"
        options={options(ON_DISCONNECT, texts.disconnect)}
        value={voice?.onDisconnect ?? 'hangup'}
      />
    </>
  )
}

interface RemoveProps extends Pick<VoiceFormProps, 'words'> {
  readonly path: string
  taken(newer: ShownNumber): void
}

function Remove({ words, path, taken }: RemoveProps) {
  const { api } = useApp()
  const [fault, fail] = useState<Fault | null>(null)
  async function act(): Promise<void> {
    const answer = await api.patch<ShownNumber>(path, { voice: null })
    if (answer.fault) fail(answer.fault)
    else taken(answer.body)
  }
  return (
    <>
      {fault !== null && <FaultLine fault={fault} codes={words.codes} />}
      <button type="button" class="button quiet" data-action="remove-voice" onClick={() => void act()}>
        {words.voice.remove}
      </button>
    </>
  )
}

/** What is not in the form stays as it is; headers that are not sent stay, too ([voice.number-setting.8]). */
function voiceOf(fields: FormData, voice: NumberVoice | null): object {
  const text = (name: string): string => {
    const value = fields.get(`voice.${name}`)
    return typeof value === 'string' ? value.trim() : ''
  }
  const authorization = text('headers')
  return {
    connectTo: text('connectTo'),
    ...(authorization === '' ? {} : { headers: { authorization } }),
    dialect: text('dialect'),
    ...(voice === null || voice.rate === null ? {} : { rate: voice.rate }),
    ...(voice === null ? {} : { parameters: voice.parameters }),
    answer: text('answer'),
    onUnreachable: text('onUnreachable'),
    onDisconnect: text('onDisconnect'),
    record: fields.has('voice.record'),
  }
}
