import type { Like } from '../../language.ts'
import type { words as english } from './en.ts'

export const words: Like<typeof english> = {
  heading: 'Caixa de entrada',
  replies: 'Respostas prontas',
  number: 'Número',
  all: 'Todos os números',
  first: (count) => `Os primeiros ${count} números`,
  firstHint: (count) => `A caixa de entrada mostra ${count} números juntos. Escolha um para ver outro.`,
  unread: (count) => (count === 1 ? '1 mensagem não lida' : `${count} mensagens não lidas`),
  added: 'Um número foi adicionado.',
  addedShow: 'Mostrar também',
  none: 'As conversas dos seus números ficam aqui, assim que houver um número.',
  toNumbers: 'Ir para os números',
  shown: {
    failed: 'Não foi possível mostrar a caixa de entrada.',
    address: 'Páginas incorporadas não podem ser mostradas neste endereço. Abra o painel por https ou em localhost.',
    gone: 'Esse número não existe. Escolha outro.',
  },
}
