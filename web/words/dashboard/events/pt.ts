import type { Like } from '../../language.ts'
import { words as hooks } from '../hooks/pt.ts'
import type { words as english } from './en.ts'

/** Portuguese words of the page of events. */
export const words: Like<typeof english> = {
  hooks,
  heading: 'Eventos',
  event: 'Evento',
  anyEvent: 'Todos os eventos',
  number: 'Número',
  anyNumber: 'Todos os números',
  live: {
    heading: 'Ao vivo',
    none: 'Nada aconteceu desde que você abriu esta página. Os eventos aparecem aqui quando acontecem.',
    noneSuch: 'Nada assim aconteceu desde que você abriu esta página.',
    off: 'Os eventos ao vivo não estão disponíveis agora. Os guardados abaixo estão.',
    pause: 'Pausar',
    go: 'Continuar',
    held: (count) => (count === 1 ? '1 evento novo espera.' : `${count} eventos novos esperam.`),
    paused: 'Em pausa: os eventos novos esperam até você continuar.',
    most: (count) => `Só os ${count} mais novos ficam aqui.`,
  },
  stored: {
    heading: 'Eventos guardados',
    text: 'Eventos dos últimos 30 dias, o mais antigo primeiro.',
    read: 'Ler os eventos guardados',
    none: 'Nenhum evento está guardado.',
  },
  columns: { event: 'Evento', number: 'Número', at: 'Hora' },
  show: (event) => `Mostrar ${event}`,
  eventId: 'Id do evento',
}
