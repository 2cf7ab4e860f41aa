import type { Like } from '../../language.ts'
import type { words as english } from './en.ts'

/** As palavras das respostas prontas em português. */
export const words: Like<typeof english> = {
  heading: 'Respostas prontas',
  above: 'A caixa de entrada',
  add: 'Nova resposta pronta',
  change: 'Alterar uma resposta pronta',
  none: 'Ainda não há nenhuma. Guarde um texto que você escreve muito; na caixa de entrada, / e o atalho o trazem.',
  shortcut: 'Atalho',
  shortcutHint: 'Letras, dígitos, - e _. Digita-se depois de uma barra.',
  text: 'Texto',
  changed: 'Alterada',
  edit: 'Alterar',
  editOf: (shortcut) => `Alterar /${shortcut}`,
  delete: 'Excluir',
  deleteOf: (shortcut) => `Excluir /${shortcut}`,
  ask: (shortcut) => `Excluir /${shortcut}?`,
  warning: 'Ninguém poderá mais responder com ela. O que foi enviado fica.',
  codes: {
    CANNED_REPLY_EXISTS: 'Outra resposta pronta tem este atalho.',
    CANNED_REPLY_LIMIT: 'A conta tem todas as respostas prontas que pode ter. Exclua uma antes.',
    CANNED_REPLY_NOT_FOUND: 'Outra pessoa a excluiu.',
  },
}
