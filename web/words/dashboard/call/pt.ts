import type { Like } from '../../language.ts'
import type { words as english } from './en.ts'
import { words as calls } from '../calls/pt.ts'

const { seconds, directions, statuses } = calls

/** Portuguese words of the page of one call. */
export const words: Like<typeof english> = {
  heading: 'Chamada',
  headingOf: (peer) => `Chamada com +${peer}`,
  above: 'Chamadas',
  status: 'Estado',
  direction: 'Direção',
  length: 'Duração',
  error: 'O que deu errado',
  id: 'Id',
  timeline: 'O que aconteceu',
  played: 'Arquivos tocados',
  recording: 'Gravação',
  saveRecording: 'Salvar como arquivo',
  sessions: 'Programas na chamada',
  takeOver: 'Assumir esta chamada',
  sessionKinds: {
    INBOUND: { talk: 'Um programa que se conectou e fala', listen: 'Um programa que se conectou e escuta' },
    OUTBOUND: { talk: 'Um servidor que foi chamado e fala', listen: 'Um servidor que foi chamado e escuta' },
  },
  sessionStatuses: { CONNECTING: 'conectando', OPEN: 'aberta', CLOSED: 'fechada', FAILED: 'não foi alcançado' },
  seconds,
  directions,
  statuses,
  steps: { created: 'Pedida', started: 'Começou', connected: 'Atendida', ended: 'Terminou' },
  playStatuses: { QUEUED: 'espera', PLAYING: 'toca', FINISHED: 'tocado', FAILED: 'falhou' },
  errors: {
    PROVIDER_FAILED: 'A rede do número encerrou a chamada com uma falha.',
    NO_RINGING: 'O outro telefone nunca tocou.',
    MEDIA_LOST: 'O som da chamada caiu e não voltou.',
    MEDIA_TIMEOUT: 'Nenhum som chegou depois do atendimento.',
    NODE_LOST: 'O servidor que mantinha a chamada parou.',
    INTERNAL_ERROR: 'Algo deu errado do nosso lado.',
  },
}
