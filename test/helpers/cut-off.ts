import type { Page } from 'playwright-core'

/**
 * What of a page cannot be read or used as it stands: texts that lie on one another, stick out of what is around them
 * or are cut off, controls that nothing brings into sight, and a page that is wider than its window. What an ellipsis
 * ends, and what can be scrolled to, is well.
 */
export async function cutOff(page: Page): Promise<string[]> {
  const found = await page.evaluate(() => {
    const { document, getComputedStyle, innerWidth, NodeFilter, scrollTo } = globalThis as any
    /** CSS px that roundings may take. */
    const SLACK = 1.5
    const wrong: string[] = []
    // Of what a question covers nothing is read or used.
    const root = document.querySelector('dialog:modal') ?? document.body
    const named = (element: any) => `<${element.localName} class="${element.getAttribute('class') ?? ''}">`
    const isUnseen = (element: any) =>
      element.closest('.unseen, .skip, [hidden], dialog:not([open]), option') !== null
      || getComputedStyle(element).clipPath !== 'none'
      || element.closest('details:not([open]) > :not(summary)') !== null
    const boxOf = (node: any) => {
      const range = document.createRange()
      range.selectNodeContents(node)
      return range.getBoundingClientRect()
    }
    /** What of a line is seen: the part that nothing around it hides; null when all of it is hidden or moves. */
    const seenOf = (line: any, from: any) => {
      let { left, right, top, bottom } = line
      for (let around = from; around !== null && around !== document.body; around = around.parentElement) {
        const { overflowX, position } = getComputedStyle(around)
        if (position === 'sticky') return null
        if (overflowX === 'visible') continue
        const box = around.getBoundingClientRect()
        ;[left, right] = [Math.max(left, box.left), Math.min(right, box.right)]
        ;[top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)]
      }
      return right > left && bottom > top ? { left, right, top, bottom } : null
    }
    /** The first element around that a box sticks out of; null when all hold it, or one can be scrolled. */
    const leaves = (box: any, from: any) => {
      for (let around = from; around !== null && around !== document.body; around = around.parentElement) {
        const { overflowX, textOverflow, display, whiteSpace } = getComputedStyle(around)
        if (textOverflow === 'ellipsis' || ['auto', 'scroll'].includes(overflowX)) return null
        // A space at the end of a line hangs out where spaces are kept.
        if (display === 'inline' || display === 'contents' || whiteSpace === 'pre-wrap') continue
        const { left, right } = around.getBoundingClientRect()
        if (box.left < left - SLACK || box.right > right + SLACK) return around
      }
      return null
    }
    if (document.documentElement.scrollWidth > innerWidth) wrong.push('the page is wider than its window')
    const texts: any[] = []
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
      const parent = node.parentElement
      if (node.data.trim() === '' || isUnseen(parent) || parent.closest('select, textarea, script, svg')) continue
      const box = boxOf(node)
      if (box.width === 0) continue
      const out = leaves(box, parent)
      if (out !== null) wrong.push(`"${node.data.slice(0, 40)}" sticks out of ${named(out)}`)
      const range = document.createRange()
      range.selectNodeContents(node)
      for (const whole of range.getClientRects()) {
        const line = seenOf(whole, parent)
        if (line !== null) texts.push({ node, line })
      }
    }
    for (const [at, one] of texts.entries())
      for (const other of texts.slice(at + 1)) {
        if (one.node === other.node) continue
        const wide = Math.min(one.line.right, other.line.right) - Math.max(one.line.left, other.line.left)
        // Letters leave a part of the height of their line empty, so lines may come near one another.
        const high = Math.min(one.line.bottom, other.line.bottom) - Math.max(one.line.top, other.line.top)
        if (wide > SLACK && high > 4)
          wrong.push(`"${one.node.data.slice(0, 40)}" lies on "${other.node.data.slice(0, 40)}"`)
      }
    for (const control of root.querySelectorAll('a[href], button, input, select, textarea, summary')) {
      const box = control.getBoundingClientRect()
      if (box.width === 0 || isUnseen(control) || control.disabled) continue
      const out = leaves(box, control.parentElement)
      if (out !== null) wrong.push(`${named(control)} "${control.innerText.slice(0, 30)}" sticks out of ${named(out)}`)
      control.scrollIntoView({ block: 'center', inline: 'nearest' })
      const [line = control.getBoundingClientRect()] = control.getClientRects()
      const met = document.elementFromPoint(line.left + line.width / 2, line.top + line.height / 2)
      if (met === null || !(control.contains(met) || met.contains(control)))
        wrong.push(`${named(control)} "${control.innerText.slice(0, 30)}" is out of sight or covered`)
    }
    for (const frame of root.querySelectorAll('iframe'))
      if (frame.parentElement.getBoundingClientRect().width < Math.min(300, innerWidth * 0.7))
        wrong.push('the place of a frame is too narrow')
    scrollTo(0, 0)
    return wrong
  })
  return [...new Set(found)]
}
