import type { ComponentChildren } from 'preact'
import { CopyButton } from '../../ui/copy-button.tsx'
import { useApp } from '../shell/app.ts'

/** A secret that the service shows once: its text is that of `[data-secret]` ([dashboard.hooks.4]). */
export function Secret({ value, label }: { readonly value: string; readonly label: string }) {
  const { words, clock } = useApp()
  return (
    <div class="secret">
      <p class="label">{label}</p>
      <p class="hint">{words.secretOnce}</p>
      <div class="copied">
        <code data-secret dir="ltr">
          {value}
        </code>
        <CopyButton text={value} words={words.copy} clock={clock} />
      </div>
    </div>
  )
}

/** An id or another text for programs, with a button that copies it. */
export function CopyText({ text }: { readonly text: string }) {
  const { words, clock } = useApp()
  return (
    <span class="copied">
      <code dir="ltr">{text}</code>
      <CopyButton text={text} words={{ ...words.copy, copy: words.copy.copy }} clock={clock} />
    </span>
  )
}

/** A time in the language and zone of the person; its title is the time in UTC. Null is shown as "never". */
export function Time({ at, style = 'short' }: { readonly at: string | null; readonly style?: 'short' | 'long' }) {
  const { language, words } = useApp()
  if (at === null) return <span class="muted">{words.never}</span>
  const date = new Date(at)
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: style === 'short' ? 'medium' : 'long',
    timeStyle: style === 'short' ? 'short' : 'medium',
  })
  return (
    <time dateTime={at} title={`${date.toISOString().replace('T', ' ').replace('Z', '')} UTC`}>
      {format.format(date)}
    </time>
  )
}

export type Tone = 'good' | 'warn' | 'bad' | 'calm'

/** A status in words; the colour says the same again. */
export function Badge({ tone, text }: { readonly tone: Tone; readonly text: string }) {
  return <span class={`badge ${tone}`}>{text}</span>
}

/** A cell that says the name of its column where cells stand below one another, and to screen readers. */
export function Named({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <span>
      <span class="narrow muted">{name}: </span>
      {children}
    </span>
  )
}

/** A number that an account has: its name, and its digits as people write them. */
export function NumberName({ name, number }: { readonly name: string; readonly number: string }) {
  return (
    <>
      <bdi>{name}</bdi>{' '}
      <span class="muted digits" dir="ltr">
        +{number}
      </span>
    </>
  )
}
