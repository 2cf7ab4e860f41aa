import { useEffect, useRef, useState } from 'preact/hooks'
import type { CallFrame } from '../live/frames.ts'
import type { App } from '../shell/app.ts'
import type { OpenSoftphone } from './open.tsx'

/**
 * The place of the softphone beside every page, so that a call outlives navigation. Its files are loaded on the page of
 * calls, or when a call comes in.
 */
export function Dock({ app }: { readonly app: App }) {
  const isOnCalls = app.router.place.value.page?.name === 'calls'
  const toTake = app.callToTake.value
  const [open, put] = useState<OpenSoftphone | null>(null)
  const opening = useRef<Promise<OpenSoftphone> | null>(null)
  useEffect(() => {
    async function opened(): Promise<OpenSoftphone> {
      opening.current ??= import('./open.tsx').then(({ openSoftphone }) => openSoftphone(app))
      const softphone = await opening.current
      put(softphone)
      return softphone
    }
    if (isOnCalls) void opened()
    if (toTake !== null) {
      app.callToTake.value = null
      void opened().then((softphone) => softphone.takeOver(toTake))
    }
    return app.news.listen({
      call(frame) {
        if (opening.current !== null || isIncoming(frame)) void opened().then((softphone) => softphone.told(frame))
      },
    })
  }, [app, isOnCalls, toTake])
  if (open === null) return null
  const { View, phone, words, numbers } = open
  return <View phone={phone} words={words} numbers={numbers.value} isAlwaysShown={isOnCalls} />
}

function isIncoming({ direction, status }: CallFrame): boolean {
  return direction === 'INBOUND' && status === 'RINGING'
}
