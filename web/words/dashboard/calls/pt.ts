import type { Like } from '../../language.ts'
import type { words as english } from './en.ts'

/** Portuguese words of the list of calls. */
export const words: Like<typeof english> = {
  heading: 'Chamadas',
  peer: 'Com',
  status: 'Estado',
  direction: 'Direção',
  began: 'Início',
  length: 'Duração',
  all: 'Todas',
  none: 'Nenhuma chamada ainda. Ligue para alguém daqui, ou pela API.',
  noneSo: 'Nenhuma chamada é assim.',
  showAll: 'Mostrar todas as chamadas',
  seconds: (count) =>
    count < 60 ? `${count} s` : `${Math.floor(count / 60)} min ${String(count % 60).padStart(2, '0')} s`,
  directions: { INBOUND: 'Recebida', OUTBOUND: 'Feita' },
  statuses: {
    INITIATED: 'Ligando',
    RINGING: 'Chamando',
    ACCEPTED: 'Em chamada',
    COMPLETED: 'Terminada',
    REJECTED: 'Recusada',
    MISSED: 'Perdida',
    FAILED: 'Falhou',
  },
}
