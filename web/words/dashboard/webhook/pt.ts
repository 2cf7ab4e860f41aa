import type { Like } from '../../language.ts'
import { words as hooks } from '../hooks/pt.ts'
import type { words as english } from './en.ts'

/** Portuguese words of the page of a webhook. */
export const words: Like<typeof english> = {
  hooks,
  webhooks: 'Webhooks',
  loading: 'Webhook',
  facts: { url: 'Endereço', number: 'Número', events: 'Eventos', last: 'Última entrega', created: 'Criado', id: 'Id' },
  noEvents: 'Nenhum: nada é entregue. Escolha eventos abaixo.',
  pause: 'Pausar',
  resume: 'Retomar',
  enable: 'Ligar de novo',
  paused: 'O webhook está pausado: nada é entregue, e o que acontece nesse tempo não é enviado depois.',
  resumed: 'O webhook está ativo.',
  disabled: {
    heading: 'O serviço desligou este webhook',
    GONE: 'O receptor respondeu 410: o que escutava não existe mais.',
    FAILING: 'Por 5 dias só houve falhas.',
    since: 'Desligado',
    text: 'O que aconteceu desde então não foi entregue. Conserte o receptor e ligue o webhook de novo.',
  },
  pausedCard: {
    heading: 'Este webhook está pausado',
    text: 'Nada é entregue. O que acontece nesse tempo não é enviado depois.',
  },
  failing: (count) =>
    count === 1 ? '1 entrega falhou nas últimas 24 horas.' : `${count} entregas falharam nas últimas 24 horas.`,
  failingText: 'A última entrega falhou. O registro abaixo mostra o que o receptor respondeu.',
  test: 'Enviar evento de teste',
  testing: 'Enviando',
  testPassed: (code, ms) => `O receptor aceitou o evento de teste: ${code}, em ${ms} ms.`,
  testRefused: (code, ms) => `O receptor respondeu ao evento de teste com ${code}, em ${ms} ms.`,
  testLost: (ms) => `Não veio resposta ao evento de teste, após ${ms} ms.`,
  answer: 'Resposta',
  noAnswer: 'A resposta veio vazia.',
  secret: {
    heading: 'Segredo de assinatura',
    text: 'Um segredo novo assina de imediato. O antigo assina junto por 24 horas, para que nenhuma entrega seja recusada.',
    rotate: 'Trocar o segredo',
    lost: 'O segredo anterior ao atual para de imediato, se ainda assina.',
    shown: 'Novo segredo de assinatura',
    until: 'O segredo antigo também assina até',
  },
  remove: {
    heading: 'Excluir',
    action: 'Excluir o webhook',
    text: 'Nada mais é entregue, nem as tentativas na fila. O registro também é apagado.',
    done: 'O webhook foi excluído.',
  },
  settings: 'Configurações',
  saved: 'O webhook foi salvo.',
  log: {
    heading: 'Entregas',
    text: 'Cada tentativa dos últimos 30 dias, a mais nova primeiro.',
    none: 'Nenhuma tentativa ainda. Envie um evento de teste para ver uma.',
    noneSuch: 'Nenhuma tentativa assim.',
    again: 'Ler de novo',
    status: 'Estado',
    any: 'Todos',
    statuses: { SUCCESS: 'entregue', FAILED: 'falhou' },
    columns: {
      event: 'Evento',
      status: 'Estado',
      code: 'Código',
      duration: 'Duração',
      attempt: 'Tentativa',
      at: 'Hora',
      act: 'Ações',
    },
    noCode: 'sem resposta',
    redeliver: 'Reenviar',
    redeliverOf: (event) => `Reenviar ${event}`,
    queued: 'O evento está na fila: será entregue de novo agora.',
    show: (event) => `Mostrar ${event}`,
  },
  failed: {
    heading: 'Reenviar o que falhou',
    text: 'Cada evento cuja última tentativa no período falhou é enviado uma vez, no máximo 1.000 por vez.',
    range: 'Período',
    ranges: {
      hour: 'última hora',
      day: 'últimas 24 horas',
      week: 'últimos 7 dias',
      month: 'últimos 30 dias',
      own: 'de, até',
    },
    since: 'De',
    until: 'Até',
    untilHint: 'Vazio significa agora.',
    action: 'Reenviar tudo o que falhou',
    queued: (count) =>
      count === 0
        ? 'Nada espera neste período: nenhum evento falhou por último.'
        : count === 1
          ? '1 evento está na fila.'
          : `${count} eventos estão na fila.`,
  },
  detail: {
    eventId: 'Id do evento',
    response: 'Resposta do receptor',
    curl: 'Copiar como curl',
    curlHint: 'Sem a assinatura: o segredo não é conhecido aqui.',
  },
}
