import { useId } from 'preact/hooks'
import type { ProviderKind } from '../../../../src/domain/number.ts'
import type { words as english } from '../../../words/dashboard/hooks/en.ts'
import type { Like } from '../../../words/language.ts'
import { Badge } from '../../ground/shown.tsx'
import { nativeEvents, ownEvents } from './picked-events.ts'
import './event-picker.css'

export type HookWords = Like<typeof english>

interface PickerProps {
  readonly words: HookWords
  /** The kind of the number: what it cannot emit is not offered ([webhooks.object.7]). */
  readonly provider: ProviderKind
  readonly chosen: readonly string[]
}

/** One checkbox for each event, with the event as its value ([dashboard.hooks.2]). */
export function EventPicker({ words, provider, chosen }: PickerProps) {
  const own = ownEvents(provider)
  const native = nativeEvents(provider)
  const groups = Object.keys(words.groups) as (keyof HookWords['groups'])[]
  return (
    <fieldset class="events">
      <legend>{words.form.events}</legend>
      <p class="hint">{words.form.eventsHint}</p>
      <Box words={words} name="*" about={words.form.all} isChosen={chosen.includes('*')} />
      {own.some(({ isOptIn }) => isOptIn) && <p class="hint">{words.form.optInHint}</p>}
      {groups.map((group) => (
        <div key={group} class="event-group">
          <p class="group-name">{words.groups[group]}</p>
          {own
            .filter(({ name }) => name.startsWith(`${group}.`))
            .map(({ name, isOptIn }) => (
              <Box
                key={name}
                words={words}
                name={name}
                about={words.about[name]}
                isOptIn={isOptIn}
                isChosen={chosen.includes(name)}
              />
            ))}
        </div>
      ))}
      {native.length > 0 && (
        <div class="event-group">
          <p class="group-name">{words.form.native}</p>
          <p class="hint">{words.form.nativeHint}</p>
          {native.map(({ name }) => (
            <Box key={name} words={words} name={name} isChosen={chosen.includes(name)} />
          ))}
        </div>
      )}
    </fieldset>
  )
}

interface BoxProps {
  readonly words: HookWords
  readonly name: string
  readonly about?: string
  readonly isOptIn?: boolean
  readonly isChosen: boolean
}

function Box({ words, name, about, isOptIn = false, isChosen }: BoxProps) {
  const id = useId()
  return (
    <div class="field check event" data-opt-in={isOptIn || undefined}>
      <label for={id}>
        <input
          id={id}
          type="checkbox"
          name="events"
          value={name}
          defaultChecked={isChosen}
          {...(about === undefined ? {} : { 'aria-describedby': `${id}-about` })}
        />
        <code>{name}</code>
        {isOptIn && <Badge tone="calm" text={words.form.optIn} />}
      </label>
      {about !== undefined && (
        <p class="hint" id={`${id}-about`}>
          {about}
        </p>
      )}
    </div>
  )
}
