import SendHorizontal from 'lucide/dist/esm/icons/send-horizontal.mjs'
import Square from 'lucide/dist/esm/icons/square.mjs'
import X from 'lucide/dist/esm/icons/x.mjs'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../../ui/icon.tsx'
import type { OpenThread } from '../../state/open-thread.ts'
import type { Recorder } from '../../state/recorder.ts'
import { useDrawn } from '../context.ts'
import { clockOf } from '../format.ts'
import { Player } from '../player/player.tsx'

interface VoiceBarProps {
  readonly recorder: Recorder
  readonly open: OpenThread
  readonly isFrozen: boolean
}

/** The bar of a voice note, while it is recorded and until it is sent. */
export function VoiceBar({ recorder, open, isFrozen }: VoiceBarProps) {
  const { words } = useDrawn()
  const state = recorder.state.value
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => () => recorder.cancel(), [recorder])
  useEffect(
    () =>
      bar.current
        ?.querySelector<HTMLElement>('[data-action=record], [data-action=send], [data-action=cancel]')
        ?.focus(),
    [state.at],
  )
  return (
    <div ref={bar} class="voice" data-recording={state.at}>
      <button
        type="button"
        class="plain"
        data-action="cancel"
        aria-label={words.cancel}
        onClick={() => recorder.cancel()}
      >
        <Icon of={X} />
      </button>
      {state.at === 'refused' && (
        <p class="failure" role="alert">
          {state.why === 'missing' ? words.composer.micMissing : words.composer.micRefused}
        </p>
      )}
      {state.at === 'recording' && <Elapsed sinceMs={state.sinceMs} />}
      {state.at === 'recorded' && <Player src={state.url} lengthMs={state.lengthMs} peaks={null} />}
      {state.at === 'recording' && <StopButton recorder={recorder} />}
      {state.at === 'recorded' && <SendButton recorder={recorder} open={open} isFrozen={isFrozen} />}
    </div>
  )
}

function StopButton({ recorder }: { readonly recorder: Recorder }) {
  const { words } = useDrawn()
  return (
    <button
      type="button"
      class="plain"
      data-action="record"
      aria-label={words.composer.stopRecording}
      onClick={() => recorder.stop()}
    >
      <Icon of={Square} />
    </button>
  )
}

/** Sends the recording. */
function SendButton({ recorder, open, isFrozen }: VoiceBarProps) {
  const { inbox, words } = useDrawn()

  function send(): void {
    const state = recorder.state.value
    if (state.at !== 'recorded' || isFrozen) return
    const { file } = state
    recorder.cancel()
    const draft = inbox.drafts.of(open.conversationId)
    const reply = draft.reply.value
    draft.reply.value = null
    void inbox.outbox.send(open.conversationId, { file, mediaType: 'voice', caption: '' }, reply)
    void open.goToEnd()
  }

  return (
    <button
      type="button"
      class="primary round"
      data-action="send"
      aria-label={words.composer.sendVoice}
      disabled={isFrozen}
      onClick={send}
    >
      <Icon of={SendHorizontal} />
    </button>
  )
}

function Elapsed({ sinceMs }: { readonly sinceMs: number }) {
  const { words } = useDrawn()
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 500)
    return () => clearInterval(timer)
  }, [])
  return <p class="recording">{words.composer.recording(clockOf(now - sinceMs))}</p>
}
