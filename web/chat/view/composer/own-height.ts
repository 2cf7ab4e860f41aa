import { useLayoutEffect } from 'preact/hooks'

/** Keeps a text field as high as its text, up to the maximum of its style. CSS alone cannot do so in every browser. */
export function useOwnHeight(field: { readonly current: HTMLTextAreaElement | null }, text: string): void {
  useLayoutEffect(() => {
    const { current } = field
    if (!current) return
    current.style.setProperty('height', 'auto')
    current.style.setProperty('height', `${current.scrollHeight}px`)
  }, [text])
}
