import type { SdkVersion } from './service.ts'

/** What the page uses of the SDK's global ([sdk.calls.2]). */
interface Channel {
  readonly chat: {
    mount(target: Element, options: object): { destroy(): void }
  }
}

let loading: Promise<Channel> | null = null

/** Loads the SDK as pages of other products do: by its version and integrity. Rejects when it cannot be loaded. */
export function loadChannel({ url, integrity }: SdkVersion): Promise<Channel> {
  loading ??= new Promise<Channel>((resolve, reject) => {
    const script = document.createElement('script')
    Object.assign(script, { src: url, integrity, crossOrigin: 'anonymous' })
    script.addEventListener('load', () => resolve((globalThis as unknown as { Channel: Channel }).Channel))
    script.addEventListener('error', () => {
      loading = null
      script.remove()
      reject(new Error('the script of the SDK did not load'))
    })
    document.head.append(script)
  })
  return loading
}
