import { useEffect, useRef, useState } from 'preact/hooks'
import type { Branding } from '../../../../src/domain/branding.ts'
import { inEnvelope, openEnvelope } from '../../../protocol/envelope.ts'
import { useApp } from '../../shell/app.ts'
import { PREVIEW_STATES, type PreviewState } from '../../../protocol/preview-states.ts'
import type { Words } from './page-words.ts'

/** The states of a link that is over. */
const OVER: readonly string[] = ['connected', 'already-connected', 'expired', 'revoked']
const MODES = ['page', 'button'] as const
const THEMES = ['light', 'dark'] as const
const DEVICES = ['desktop', 'phone'] as const

/** Our choice, in CSS pixels: a usual window, and a usual phone. */
const SIZES = { desktop: { width: 1_120, height: 720 }, phone: { width: 390, height: 760 } } as const

interface PreviewProps {
  readonly words: Words
  readonly draft: Branding
}

interface Wish {
  readonly state: PreviewState
  readonly mode: (typeof MODES)[number]
  readonly theme: (typeof THEMES)[number]
  readonly device: (typeof DEVICES)[number]
}

/** The connect page itself in a frame, told at each change what to draw ([pages.preview.1]). */
export function Preview({ words, draft }: PreviewProps) {
  const { language } = useApp()
  const [wish, want] = useState<Wish>({ state: 'qr', mode: 'page', theme: 'light', device: 'desktop' })
  const { state, mode, theme, device } = wish
  // A button waits until it is pressed, unless its link is over.
  const drawn = mode === 'page' || OVER.includes(state) ? state : 'ready'
  const frame = useDrawn({ ...draft, state: drawn, mode, theme })
  const { width, height } = SIZES[device]
  const { place, scale } = useScale(width)
  return (
    <section class="card brand-preview" aria-labelledby="preview">
      <h2 id="preview">{words.preview}</h2>
      <Choices words={words} wish={wish} change={(part) => want({ ...wish, ...part })} />
      <div ref={place} class="brand-screen" style={{ height: `${Math.round(height * scale)}px` }}>
        <iframe
          ref={frame}
          data-preview
          title={words.preview}
          src={`/connect/preview?lang=${language}`}
          sandbox="allow-scripts allow-same-origin"
          style={{ width: `${width}px`, height: `${height}px`, transform: `scale(${scale})` }}
        />
      </div>
    </section>
  )
}

interface ChoicesProps {
  readonly words: Words
  readonly wish: Wish
  change(part: Partial<Wish>): void
}

function Choices({ words, wish: { state, mode, theme, device }, change }: ChoicesProps) {
  const { states, modes, themes, devices } = words
  const show = (next: Wish['state']): void => change({ state: next })
  const view = (next: Wish['mode']): void => change({ mode: next })
  const paint = (next: Wish['theme']): void => change({ theme: next })
  const hold = (next: Wish['device']): void => change({ device: next })
  return (
    <div class="filters">
      <Choice name="state" label={words.state} names={states} all={PREVIEW_STATES} value={state} choose={show} />
      <Choice name="mode" label={words.mode} names={modes} all={MODES} value={mode} choose={view} />
      <Choice name="theme" label={words.theme} names={themes} all={THEMES} value={theme} choose={paint} />
      <Choice name="device" label={words.device} names={devices} all={DEVICES} value={device} choose={hold} />
    </div>
  )
}

interface ChoiceProps<Value extends string> {
  readonly name: string
  readonly label: string
  readonly names: Readonly<Record<Value, string>>
  readonly all: readonly Value[]
  readonly value: Value
  choose(value: Value): void
}

function Choice<Value extends string>({ name, label, names, all, value, choose }: ChoiceProps<Value>) {
  return (
    <div class="field">
      <label for={`preview-${name}`}>{label}</label>
      <select
        id={`preview-${name}`}
        data-preview-of={name}
        onChange={({ currentTarget }) => choose(currentTarget.value as Value)}
      >
        {all.map((one) => (
          <option key={one} value={one} selected={one === value}>
            {names[one]}
          </option>
        ))}
      </select>
    </div>
  )
}

/** Tells the frame what to draw: once it says that it listens ([pages.preview.2]), and at each change after that. */
function useDrawn(wish: Branding & { readonly state: string; readonly mode: string; readonly theme: string }) {
  const { data } = useApp()
  const frame = useRef<HTMLIFrameElement>(null)
  const [isListening, listens] = useState(0)
  const { origin } = new URL(data.baseUrl)
  useEffect(() => {
    const hear = ({ source, origin: from, data: said }: MessageEvent<unknown>): void => {
      if (source !== frame.current?.contentWindow || from !== origin) return
      if (openEnvelope(said)?.type === 'preview-ready') listens((times) => times + 1)
    }
    window.addEventListener('message', hear)
    return () => window.removeEventListener('message', hear)
  }, [origin])
  const payload = JSON.stringify(wish)
  useEffect(() => {
    if (isListening === 0) return
    const message = inEnvelope({ type: 'preview', payload: JSON.parse(payload) as unknown })
    frame.current?.contentWindow?.postMessage(message, origin)
  }, [payload, isListening, origin])
  return frame
}

/** How much a screen of that width has to shrink to fit into its place; at most 1. */
function useScale(width: number) {
  const place = useRef<HTMLDivElement>(null)
  const [room, measure] = useState(0)
  useEffect(() => {
    if (place.current === null) return
    const seen = new ResizeObserver(([entry]) => measure(entry?.contentRect.width ?? 0))
    seen.observe(place.current)
    return () => seen.disconnect()
  }, [])
  return { place, scale: room === 0 ? 1 : Math.min(1, room / width) }
}
