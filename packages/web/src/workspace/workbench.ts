// What this window knows of the workspace: a projection of what the server tells. Nothing is decided here; whoever changes
// something asks the server and hears of it like everyone else. Only which tab is in front belongs to the window itself.

import type { Client } from "@stet/client/client";
import type { FileReview, OpenTurn } from "@stet/protocol/api/review";
import type { Reply, Sent } from "@stet/protocol/api/route";
import type { RouteName, Routes } from "@stet/protocol/api/routes";
import type { ListedTab } from "@stet/protocol/api/tabs";
import type { IndexState } from "@stet/protocol/events/workspace-events";
import { detailsOf, type Fault, isFault } from "@stet/protocol/fault";
import { createContext, useContext } from "solid-js";
import { createStore, reconcile, type SetStoreFunction, type Store } from "solid-js/store";
import { noteAsked } from "../app/asked-focus.ts";
import { Commands } from "../app/commands.ts";
import { Dialogs } from "../app/dialogs.ts";
import { Layout } from "../app/layout.ts";
import { Notices } from "../app/notices.ts";
import type { WorkspaceInfo } from "../app/sign-in.ts";
import { followStorageNotices } from "../app/storage-notices.ts";
import { OpenDocuments } from "../editor/open-documents.ts";
import { Views } from "../views/views.ts";
import { closeTab } from "./close-tab.ts";
import { Feed } from "./feed.ts";
import { inOrder } from "./in-order.ts";
import { openOutside, saveAll, savedWords, unseenUnsaved } from "./save-all.ts";
import { soon } from "./soon.ts";

export type Models = Reply<Routes["listModels"]>;
type SavedTab = Reply<Routes["saveTab"]>;

/** Only the workbench changes it. */
export interface WorkbenchState {
  root: string;
  name: string;
  isSample: boolean;
  tabs: ListedTab[];
  /** Of all documents, whether they have a tab or not. */
  review: { files: FileReview[]; turns: OpenTurn[] };
  /** Whether it is known yet what waits for review. */
  hasReview: boolean;
  /** Documents whose decided text is not in their file, with a tab or without one, as it was when the review was read. */
  unsaved: { readonly document: number; readonly path: string }[];
  /** A turn that holds all documents until it ends. */
  lock: { locked: boolean; jobId: string | null; purpose: string | null };
  subagents: number;
  /** Jobs at work, the oldest first. */
  jobs: { readonly id: string; readonly session: string; readonly status: string }[];
  models: Models | null;
  index: IndexState | null;
  /** Counts up when files came or went. */
  filesChanged: number;
}

/** Settings that say which models there are, and which one answers. Favourites are only marked in the list. */
const aboutModels = /^(model|localModel|agentMode|thinking|serviceTier|providers|toolset)$/;

const atWork = ["queued", "running", "waiting_for_user"];

export class Workbench {
  readonly client: Client;
  /** Names this window among those that edit. */
  readonly windowId = `w_${crypto.randomUUID().slice(0, 8)}`;
  readonly feed: Feed;
  readonly state: Store<WorkbenchState>;
  readonly layout = new Layout();
  readonly commands = new Commands();
  readonly notices = new Notices();
  readonly dialogs = new Dialogs();
  readonly views = new Views();
  readonly documents: OpenDocuments;
  readonly #set: SetStoreFunction<WorkbenchState>;
  readonly #info: WorkspaceInfo;
  /** Counts what the list of tabs is asked for: of several replies on their way, the newest counts. */
  readonly #askTabs = inOrder();
  readonly #askReview = inOrder();
  readonly #askModels = inOrder();
  readonly #loadTabsSoon = soon(150, () => this.loadTabs());
  readonly #loadTabsLater = soon(1500, () => this.loadTabs());
  readonly #loadReviewSoon = soon(80, () => this.loadReview());
  readonly #loadReviewLater = soon(1500, () => this.loadReview());
  readonly #loadModelsSoon = soon(150, () => this.loadModels());

  constructor(client: Client, info: WorkspaceInfo) {
    this.client = client;
    this.#info = info;
    this.feed = new Feed(client, info.cursor);
    [this.state, this.#set] = createStore<WorkbenchState>({
      root: info.root,
      name: info.name,
      isSample: info.is_sample,
      tabs: [],
      review: { files: [], turns: [] },
      hasReview: false,
      unsaved: [],
      lock: { locked: info.lock.locked, jobId: info.lock.job_id, purpose: info.lock.purpose },
      subagents: info.subagents_active,
      jobs: [],
      models: null,
      index: null,
      filesChanged: 0,
    });
    this.documents = new OpenDocuments(this);
  }

  /** Loads what the first screen shows, and follows everything from then on. */
  async start(): Promise<void> {
    this.#listen();
    followStorageNotices(this, this.#info.notices);
    this.feed.start();
    await Promise.all([this.loadTabs(), this.loadReview(), this.#loadJobs()]);
    void this.loadModels();
    void this.#loadIndex();
  }

  #listen(): void {
    const { feed } = this;
    feed.on("tabs.changed", () => this.#loadTabsSoon());
    feed.on("document.changed", ({ document }) => {
      const tab = this.state.tabs.find((known) => known.document === document);
      // Typing makes a tab unsaved once; what else a change does to it can wait.
      if (tab?.is_dirty === true) this.#loadTabsLater();
      else this.#loadTabsSoon();
      // Typed somewhere else; a document that is open here moves its own hunks.
      const isReviewed = this.state.review.files.some((file) => file.document === document);
      if (isReviewed && this.documents.known(document) === undefined) this.#loadReviewLater();
    });
    feed.on("document.saved", () => {
      this.#loadTabsSoon();
      this.#loadReviewSoon();
    });
    feed.on("review.updated", () => {
      this.#loadTabsSoon();
      this.#loadReviewSoon();
    });
    feed.on("files.changed", () => this.#set("filesChanged", (count) => count + 1));
    feed.on("lock.changed", ({ locked, job_id, purpose }) => {
      this.#set("lock", { locked, jobId: job_id, purpose });
    });
    feed.on("subagents.active", ({ active }) => this.#set("subagents", active));
    feed.on("job.status", ({ job_id: id, session_id: session, status }) => {
      const others = this.state.jobs.filter((job) => job.id !== id);
      this.#set("jobs", atWork.includes(status) ? [...others, { id, session, status }] : others);
    });
    feed.on("config.changed", ({ name }) => {
      if (aboutModels.test(name)) this.#loadModelsSoon();
      if (name === "favouriteModels") void this.#loadFavourites();
    });
    feed.on("index.progress", (data) => this.#set("index", data));
    feed.onReturn(() => {
      this.notices.closeAboutConnection();
      void this.loadTabs();
      void this.loadReview();
      void this.#loadJobs();
      void this.loadModels();
    });
  }

  async loadTabs(): Promise<void> {
    const isOvertaken = this.#askTabs();
    const reply = await this.client.call("listTabs");
    if (isFault(reply) || isOvertaken()) return;
    this.#set("tabs", reconcile(reply.tabs, { key: "tab_id" }));
    this.views.keepDocuments(
      reply.tabs.map((tab) => tab.tab_id),
      reply.active_tab_id,
    );
  }

  async loadReview(): Promise<void> {
    const isOvertaken = this.#askReview();
    const reply = await this.client.call("listReview");
    if (isFault(reply) || isOvertaken()) return;
    // As a whole: a hunk that took another one's place in the list must not be taken for it.
    this.#set("review", { files: reply.files, turns: reply.turns });
    this.#set({ hasReview: true, unsaved: reply.unsaved });
  }

  async #loadJobs(): Promise<void> {
    const reply = await this.client.call("listJobs", { query: { limit: 100 } });
    if (isFault(reply)) return;
    const jobs = reply.jobs
      .filter((job) => atWork.includes(job.status))
      .map((job) => ({ id: job.job_id, session: job.session_id, status: job.status }));
    this.#set("jobs", jobs.reverse());
  }

  /** Why they could not be read; what was known stays. */
  async loadModels(): Promise<Fault | undefined> {
    const isOvertaken = this.#askModels();
    const { favourites } = this.state.models ?? {};
    const reply = await this.client.call("listModels");
    if (isFault(reply)) return reply;
    if (isOvertaken()) return undefined;
    // Asking providers takes long: favourites that were chosen meanwhile are newer than those of the reply.
    const now = this.state.models?.favourites;
    const newest = now === undefined || now === favourites ? reply : { ...reply, favourites: now };
    // What is listed stays what it is: whoever stands on a row of it keeps the focus.
    this.#set("models", reconcile(newest, { key: "name", merge: true }));
    return undefined;
  }

  /** Without asking providers for their models. */
  async #loadFavourites(): Promise<void> {
    const reply = await this.client.call("getConfig");
    if (!isFault(reply))
      this.showFavourites(reply.settings.find(({ name }) => name === "favouriteModels")?.value);
  }

  /** The value of their setting, as the server tells it. */
  showFavourites(value: unknown): void {
    if (this.state.models === null || !Array.isArray(value)) return;
    const favourites = value.filter((name) => typeof name === "string");
    this.#set("models", { favourites });
  }

  async #loadIndex(): Promise<void> {
    const reply = await this.client.call("getIndex");
    if (!isFault(reply)) this.#set("index", reply);
  }

  /** The tab in front, where it is one of a document. */
  activeTab(): ListedTab | undefined {
    const view = this.views.active();
    return view?.kind === "document" ? this.state.tabs.find((tab) => tab.tab_id === view.tab) : undefined;
  }

  /** Opens a file and brings it to the front; `line` counts from 1, `column` from 0. */
  async openFile(path: string, line?: number, column?: number): Promise<ListedTab | undefined> {
    noteAsked();
    const isLoaded = this.state.tabs.some((tab) => tab.path === path && this.documents.known(tab.document));
    const reply = await this.ask("openTab", { body: { path, with_text: !isLoaded } });
    if (reply === undefined) return undefined;
    const { opened, ...tab } = reply;
    // Shown at once; what else the server knows of its tabs comes after it. A list from before does not know of this one.
    this.#askTabs()();
    const isNew = !this.state.tabs.some((known) => known.tab_id === tab.tab_id);
    if (isNew) this.#set("tabs", (tabs) => [...tabs, tab]);
    // Before a view asks for it, which would be a second question to the server.
    void this.documents.get(tab.document, opened);
    if (isNew) {
      this.views.keepDocuments(
        this.state.tabs.map((known) => known.tab_id),
        tab.tab_id,
      );
    }
    this.views.show({ kind: "document", tab: tab.tab_id });
    this.#loadTabsSoon();
    if (line !== undefined) this.documents.reveal(tab.document, line, column);
    return tab;
  }

  /** Documents that have a file which is not as decided. Tabs tell it sooner than the review. */
  unsavedDocuments(): number[] {
    return this.unsavedFiles().map(({ document }) => document);
  }

  unsavedFiles(): { readonly document: number; readonly path: string }[] {
    const { tabs, unsaved } = this.state;
    const withTab = new Set(tabs.map(({ document }) => document));
    const dirty = tabs.flatMap(({ document, path, is_dirty }) => {
      return is_dirty && path !== null ? [{ document, path }] : [];
    });
    return [...dirty, ...unsaved.filter(({ document }) => !withTab.has(document))];
  }

  /** Brings a document to the front, opening a tab for it where it has none. */
  async openDocument(document: number, line?: number, column?: number): Promise<void> {
    const tab = this.state.tabs.find((candidate) => candidate.document === document);
    if (tab === undefined) {
      const path = this.state.review.files.find((file) => file.document === document)?.file_path;
      if (path) await this.openFile(path, line, column);
      return;
    }
    this.activate(tab.tab_id);
    if (line !== undefined) this.documents.reveal(document, line, column);
  }

  activate(tabId: string): void {
    noteAsked();
    this.views.show({ kind: "document", tab: tabId });
    // The agent is told of the document in front; it is no matter where that fails.
    void this.client.call("activateTab", { params: { tab_id: tabId }, body: {} });
  }

  /** Writes a tab's decided text to its file; asks for a name where it has none. */
  async save(tab: ListedTab): Promise<boolean> {
    const saved = await this.write(tab);
    if (saved === undefined) return false;
    await this.loadReview();
    const others = unseenUnsaved(this, [saved.document]);
    this.notices.tell({
      text: savedWords([saved.title], openOutside(this, [saved.document]), others),
      tone: "good",
      ...(others === 0 ? {} : { action: { label: "Save all", run: () => this.saveAll() } }),
    });
    return true;
  }

  /** The same without a word where it went well. */
  async write(tab: ListedTab): Promise<SavedTab | undefined> {
    const fault = await this.documents.settle(tab.document);
    if (fault !== undefined) {
      this.refuse(fault);
      return undefined;
    }
    let path: string | undefined;
    if (tab.path === null) {
      path = await this.dialogs.prompt({
        title: "Save as",
        label: "Path in the folder",
        value: tab.title.includes(".") ? tab.title : `${tab.title}.md`,
        action: "Save",
      });
      if (path === undefined) return undefined;
    }
    const body = path === undefined ? {} : { path };
    const saved = await this.client.call("saveTab", { params: { tab_id: tab.tab_id }, body });
    if (isFault(saved)) {
      if (saved.error === "external_change") {
        this.documents.reportConflict(tab.document);
        this.notices.tell({
          text: `${tab.title} is not saved yet: its file was changed, too. Choose above the text what stays.`,
          tone: "plain",
        });
      } else this.refuse(saved);
      return undefined;
    }
    await this.loadTabs();
    return saved;
  }

  /** Whether there is nothing left to save. */
  saveAll(): Promise<boolean> {
    return saveAll(this);
  }

  /** Closes a tab, after a question where something is unsaved. */
  close(tab: ListedTab): Promise<void> {
    return closeTab(this, tab);
  }

  /** A reply, or undefined after the person was told why there is none. */
  async ask<Name extends RouteName>(
    name: Name,
    sent?: Sent<Routes[Name]>,
  ): Promise<Reply<Routes[Name]> | undefined> {
    const reply = await this.client.call(name, sent);
    if (!isFault(reply)) return reply;
    this.refuse(reply);
    return undefined;
  }

  refuse(fault: Fault): false {
    const isAboutConnection =
      fault.error === "io_failed" && detailsOf(fault, "io_failed").status === undefined;
    if (isAboutConnection) this.feed.doubt();
    this.notices.tell({ text: fault.message, detail: fault.suggestion, tone: "bad", isAboutConnection });
    return false;
  }
}

export const WorkbenchContext = createContext<Workbench>();

export function useWorkbench(): Workbench {
  const workbench = useContext(WorkbenchContext);
  if (workbench === undefined) throw new Error("useWorkbench outside of the app");
  return workbench;
}
