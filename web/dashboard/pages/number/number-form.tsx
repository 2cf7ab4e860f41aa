import { useState } from 'preact/hooks'
import { kindOf } from '../../../../src/domain/kinds/kinds.ts'
import type { NumberSettings, PiiMode } from '../../../../src/domain/number.ts'
import { CheckField, Form, SelectField, TextField } from '../../ground/form.tsx'
import { useApp } from '../../shell/app.ts'
import type { ShownNumber } from '../pairing/number-facts.tsx'
import type { NumberWords } from './number-words.ts'

/** Settings that are on or off ([numbers.settings.2] to [numbers.settings.4]). */
const SWITCHES = ['historyImportEnabled', 'webhookHistoricalMessages', 'ignoreNewsletters'] as const
/** Settings of the provider, which can also be left to it: null is its default ([numbers.settings.7]). */
const CHOICES = ['rejectCall', 'alwaysOnline', 'readMessages', 'ignoreGroups', 'ignoreStatus'] as const
const MODES: readonly PiiMode[] = ['STORE_INDEFINITE', 'STORE_X_DAYS', 'RELAY_ONLY']

interface NumberFormProps {
  readonly words: NumberWords
  readonly number: ShownNumber
  take(newer: ShownNumber): void
}

/** Name, settings and privacy of a number, with the field names of the API. */
export function NumberForm({ words, number, take }: NumberFormProps) {
  const { api, say, words: ground } = useApp()
  const isPaired = kindOf(number).can.pairing
  return (
    <section class="card" aria-labelledby="settings">
      <h2 id="settings">{words.settings.heading}</h2>
      <Form<ShownNumber>
        name="number"
        submit={ground.save}
        codes={words.codes}
        send={(fields) => api.patch(`/api/v1/numbers/${number.id}`, bodyOf(fields, isPaired))}
        done={(newer) => {
          take(newer)
          say(ground.saved)
        }}
      >
        <TextField label={words.settings.name} name="name" value={number.name} isRequired maxLength={120} />
        {isPaired ? (
          <SettingFields words={words} settings={number.settings} />
        ) : (
          <p class="hint">{words.settings.official}</p>
        )}
        <PrivacyFields words={words} number={number} />
      </Form>
    </section>
  )
}

function SettingFields({ words, settings }: { readonly words: NumberWords; readonly settings: NumberSettings }) {
  const { settings: names } = words
  const options = [
    { value: '', label: names.default },
    { value: 'true', label: names.on },
    { value: 'false', label: names.off },
  ]
  return (
    <>
      {SWITCHES.map((name) => (
        <CheckField
          key={name}
          label={names[name]}
          name={`settings.${name}`}
          isChecked={settings[name]}
          {...(name === 'historyImportEnabled' ? { hint: names.historyHint } : {})}
        />
      ))}
      {CHOICES.map((name) => (
        <SelectField
          key={name}
          label={names[name]}
          name={`settings.${name}`}
          options={options}
          value={settings[name] === null ? '' : String(settings[name])}
        />
      ))}
      <TextField
        label={names.msgRejectCall}
        name="settings.msgRejectCall"
        hint={names.msgRejectCallHint}
        value={settings.msgRejectCall ?? ''}
        maxLength={4_096}
        rows={2}
      />
    </>
  )
}

/** The privacy mode, with what it deletes ([numbers.privacy.1]). */
function PrivacyFields({ words: { privacy }, number }: Omit<NumberFormProps, 'take'>) {
  const [mode, choose] = useState<PiiMode>(number.piiMode)
  return (
    <>
      <SelectField
        label={privacy.mode}
        name="piiMode"
        options={MODES.map((value) => ({ value, label: privacy.modes[value] }))}
        value={mode}
        change={(value) => choose(value as PiiMode)}
      />
      <p class={mode === number.piiMode ? 'hint' : 'warn-text'} data-privacy={mode}>
        {privacy.texts[mode]}
      </p>
      {mode === 'STORE_X_DAYS' && (
        <TextField
          label={privacy.days}
          name="piiRetentionDays"
          type="number"
          value={String(number.piiRetentionDays ?? '')}
          min={1}
          max={3_650}
          isRequired
        />
      )}
    </>
  )
}

function bodyOf(fields: FormData, isPaired: boolean): object {
  const text = (name: string): string => {
    const value = fields.get(name)
    return typeof value === 'string' ? value : ''
  }
  const days = text('piiRetentionDays')
  return {
    name: text('name'),
    piiMode: text('piiMode'),
    ...(days === '' ? {} : { piiRetentionDays: Number(days) }),
    ...(isPaired ? { settings: settingsOf(fields, text) } : {}),
  }
}

function settingsOf(fields: FormData, text: (name: string) => string): NumberSettings {
  const switches = SWITCHES.map((name) => [name, fields.has(`settings.${name}`)] as const)
  const choices = CHOICES.map((name) => {
    const value = text(`settings.${name}`)
    return [name, value === '' ? null : value === 'true'] as const
  })
  const message = text('settings.msgRejectCall')
  return Object.fromEntries([
    ...switches,
    ...choices,
    ['msgRejectCall', message === '' ? null : message],
  ]) as unknown as NumberSettings
}
