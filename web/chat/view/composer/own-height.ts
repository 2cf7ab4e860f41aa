import { useLayoutEffect } from 'preact/hooks'

/** Keeps a field as high as its text, up to what its style allows; no style alone says so in every browser. */
export function useOwnHeight(field: { readonly current: HTMLTextAreaElement | null }, text: string): void {
  useLayoutEffect(() => {
    const { current } = field
    if (!current) return
    current.style.setProperty('height', 'auto')
    current.style.setProperty('height', `${current.scrollHeight}px`)
  }, [text])
}
