// What goes on between the turns of a session: look at it, end it, tell the agent of it.

import type { Delivery } from "@stet/agent/background/deliveries";
import type { JobSnapshot } from "@stet/agent/background/jobs";
import type { Timer } from "@stet/agent/timers/timers";
import type { Operations } from "@stet/protocol/api/operation";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { Host } from "../host.ts";
import type { OpenSession } from "../open-sessions/open-session.ts";
import { timeOf } from "./time-of.ts";

/** Of a job's output. */
const maxOutput = 4096;
/** How long a command that people see may take to begin. */
const beginningMs = 2000;

export function backgroundOperations(host: Host) {
  /** Undefined where nothing goes on in it; a fault for a session that there is not. */
  const found = async (id: string): Promise<OpenSession | undefined | Fault> => {
    const record = await host.sessions.record(id);
    return isFault(record) ? record : host.open.get(id);
  };

  return {
    async listBackground({ params }) {
      const open = await found(params.session_id);
      if (isFault(open)) return open;
      const configured = host.configuration();
      if (isFault(configured)) return configured;
      const pump = host.open.pump(params.session_id);
      const { jobs = [], timers = [], waiting = [] } = open === undefined ? {} : viewsOf(open);
      return {
        jobs,
        timers,
        waiting,
        autonomy: {
          mode: configured.settings.autonomy,
          turns: pump?.turns ?? 0,
          cost_usd: pump?.cost ?? 0,
          held: pump?.held() ?? null,
        },
      };
    },

    async listAllBackground() {
      const busy = host.open.all().filter(({ background, tree }) => {
        return background.running().length > 0 || background.timers.all().length > 0 || tree.isAtWork;
      });
      const sessions = busy.map(async (open) => {
        const record = await host.sessions.record(open.id);
        const { jobs, timers } = viewsOf(open);
        const running = jobs.filter(({ status }) => status === "running");
        return { session_id: open.id, title: isFault(record) ? "" : record.title, jobs: running, timers };
      });
      return { sessions: await Promise.all(sessions) };
    },

    async cancelBackground({ params, body }) {
      const open = await found(params.session_id);
      if (isFault(open)) return open;
      if (open === undefined) return { cancelled: [] };
      const { background, tree } = open;
      const all = [...background.running(), ...background.timers.all()].map(({ id }) => id);
      const cancelled = (body.ids ?? all).filter((id) => cancel(open, id));
      if (body.ids === undefined) tree.cancelAll();
      return { cancelled };
    },

    async putInBackground({ params }) {
      const open = await found(params.session_id);
      if (isFault(open)) return open;
      if (open === undefined) return { commands: [] };
      const patience = host.sessions.isHeld(params.session_id) ? beginningMs : 0;
      return { commands: await open.background.foreground.putAsideWithin(patience) };
    },

    async deliver({ params, body }) {
      const open = await found(params.session_id);
      if (isFault(open)) return open;
      const told = await host.open.pump(params.session_id)?.deliverNow(body.delivery_ids);
      if (told === undefined) return { delivered: 0, job_id: null };
      return isFault(told) ? told : { delivered: told.count, job_id: told.job };
    },

    async dismissDeliveries({ params, body }) {
      const open = await found(params.session_id);
      if (isFault(open)) return open;
      return { dismissed: open?.background.deliveries.take(body.delivery_ids).length ?? 0 };
    },
  } satisfies Partial<Operations>;
}

function cancel({ background, tree }: OpenSession, id: string): boolean {
  const timer = background.timers.all().find((each) => each.id === id);
  if (timer !== undefined) return background.timers.remove(timer.owner, id);
  // An agent is stopped with all that it has sent.
  return background.jobs.cancel(id) === "cancelled" || tree.cancel(id);
}

function viewsOf({ background }: OpenSession) {
  return {
    jobs: background.jobs.all().map(jobView),
    timers: background.timers.all().map(timerView),
    waiting: background.deliveries.waiting().map(deliveryView),
  };
}

function jobView({ id, type, owner, status, label, durationMs, ...texts }: JobSnapshot) {
  const { outputText, resultText, errorText } = texts;
  const output = (outputText ?? resultText ?? errorText ?? "").slice(-maxOutput).toWellFormed();
  return { job_id: id, type, agent: owner, status, label, duration_ms: durationMs, output };
}

function timerView({ id, owner, expression, words, recurring, prompt, nextAt, expiresAt }: Timer) {
  return {
    timer_id: id,
    agent: owner,
    cron_expression: expression,
    human: words,
    recurring,
    prompt,
    next_at: timeOf(nextAt),
    expires_at: expiresAt === undefined ? null : timeOf(expiresAt),
  };
}

function deliveryView({ id, source, text, at }: Delivery) {
  return { delivery_id: id, source, text, at: timeOf(at) };
}
