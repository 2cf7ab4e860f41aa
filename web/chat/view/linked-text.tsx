/** An address in a text, up to what can be no part of one. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`{}|\\^]+[^\s<>"'`{}|\\^.,;:!?)\]]/gi

/** A text whose addresses can be followed. Nothing else of it is taken for markup. */
export function LinkedText({ text }: { readonly text: string }) {
  const parts: (string | { readonly href: string })[] = []
  let end = 0
  for (const match of text.matchAll(ADDRESS)) {
    if (!URL.canParse(match[0])) continue
    parts.push(text.slice(end, match.index), { href: match[0] })
    end = match.index + match[0].length
  }
  parts.push(text.slice(end))
  return (
    <span class="text" dir="auto">
      {parts.map((part) => typeof part === 'string' ? part : <a href={part.href} target="_blank" rel="noopener noreferrer nofollow">{part.href}</a>)}
    </span>
  )
}
