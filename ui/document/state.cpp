#include "ui/document/state.h"

#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "core/analysis/unmapped.h"
#include "core/base/cancellation.h"
#include "core/base/resources.h"
#include "core/engine/faults.h"
#include "ui/document/drafts.h"
#include "ui/document/program_texts.h"
#include "ui/document/undo/value_edit.h"
#include "ui/jobs/apart.h"
#include "ui/words/long_names.h"

namespace convscope::ui {
namespace {

// Layers that nobody looks at are shown in bundles: a repaint per layer would cost more than the layers.
constexpr int bundle_milliseconds = 30;
constexpr int burial_milliseconds = 500;
// Other levels are compiled once a drag rests: what it asks for next needs the cores.
constexpr int rest_milliseconds = 100;

struct PresetReading {
  std::optional<Settings> settings;
  Diagnostics diagnostics;
};

struct TablesReading {
  std::shared_ptr<const analysis::PublishedTables> tables;
  Diagnostics diagnostics;
};

struct FirstReading {
  QString path;
  NetworkReading reading;
};

/// The first file that is a network; if none is, the last one's refusal with those of the others. Throws Cancelled.
FirstReading read_first(const catalogue::Catalogue& catalogue, const std::vector<std::pair<QString, SizeWish>>& files,
                        const std::stop_token& stop) {
  FirstReading first;
  Diagnostics refusals;
  QStringList others;
  for (const auto& [path, wish] : files) {
    throw_if_stopped(stop);
    if (first.reading.network) {
      others << QFileInfo(path).fileName();
      continue;
    }
    first = {path, read_network(catalogue, path.toStdString(), wish)};
    if (!first.reading.network) refusals.append(first.reading.diagnostics);
  }
  if (!first.reading.network) {
    first.reading.diagnostics = refusals;
    return first;
  }
  first.reading.diagnostics.append(refusals);
  if (!others.isEmpty()) {
    first.reading.diagnostics.note({first.path.toStdString(), 0, {}},
                                   "one network is open at a time; not opened: " + others.join(", ").toStdString());
  }
  return first;
}

/// Level to show until the results of a level are there; empty if these take no time to speak of.
std::string quick_level_of(const target::Target& target, const std::string& level) {
  for (const target::Level& each : target.levels())
    if (each.name == level) return each.quick_first;
  return {};
}

/// As `write_preset_file`, but not under a name that stands for another preset.
bool write_preset(const target::Target& target, const QString& path, const arch::ParameterValues& values,
                  const QString& name, const QString& description, Diagnostics& diagnostics) {
  if (!comes_with_target(target, name)) return write_preset_file(path, values, name, description, diagnostics);
  diagnostics.error({path.toStdString(), 0, "preset '" + name.toStdString() + "'"},
                    "a preset that comes with the program has this name", "another name");
  return false;
}

/// A hostile file may hold megabytes of a name, which messages repeat.
void append_shown(const Diagnostics& part, Diagnostics& all) {
  const auto is_long = [](const Diagnostic& each) {
    const std::size_t longest =
        std::max({each.where.element.size(), each.what.size(), each.expected.size(), each.hint.size()});
    return longest > longest_name;
  };
  if (std::none_of(part.items().begin(), part.items().end(), is_long)) return all.append(part);
  for (Diagnostic each : part.items()) {
    for (std::string* text : {&each.where.element, &each.what, &each.expected, &each.hint}) *text = shown_name(*text);
    all.add(std::move(each));
  }
}

TablesReading read_tables(const std::stop_token& /*stop*/) {
  TablesReading result;
  result.tables = std::make_shared<const analysis::PublishedTables>(
      analysis::PublishedTables::load(resource_path("published"), result.diagnostics));
  return result;
}

}  // namespace

Workbench::State::State(Workbench& workbench, catalogue::CataloguePointer known)
    : owner(workbench),
      catalogue(std::move(known)),
      settings(default_settings(catalogue->targets.front())),
      exploration(workbench) {
  settings = start_settings();
  repaint.setSingleShot(true);
  repaint.setInterval(bundle_milliseconds);
  burial.setSingleShot(true);
  burial.setInterval(burial_milliseconds);
  rest.setSingleShot(true);
  rest.setInterval(rest_milliseconds);
  connect_compilation();
  results.set_exploration(exploration.state());
  connect(&exploration, &Exploration::state_changed, &owner, [this] {
    results.set_exploration(exploration.state());
    tell_views();
  });
  const auto give_way = [this] { exploration.give_way(owner.busy()); };
  connect(&owner, &Workbench::progress_changed, &exploration, give_way);
  on_change(owner, &exploration, Change::network | Change::results, give_way);
  connect(&owner, &Workbench::network_opened, &exploration, &Exploration::host_changed);
  connect(&owner, &Workbench::machine_changed, &exploration, &Exploration::host_changed);
  new Drafts(
      undo, [this](const schedule::DraftFile& draft) { pin_draft(draft); }, &owner);  // where hosts' views look for it
  new ProgramTexts(&owner);
  show_nothing_open();
  load_background_data();
}

void Workbench::State::connect_compilation() {
  connect(&repaint, &QTimer::timeout, &owner, [this] { publish(); });
  connect(&burial, &QTimer::timeout, &owner, [this] { bury(); });
  connect(&rest, &QTimer::timeout, &owner, [this] { compile_missing(); });
  connect(&compilation, &Compilation::started, &owner, [this](const engine::Request& started) {
    if (!background) results.start(started);
    refresh_busy();
  });
  connect(&compilation, &Compilation::layer_done, &owner,
          [this](int layer, std::shared_ptr<const target::CompiledLayer> result) {
            if (background) return;
            results.add(layer, std::move(result));
            if (layer == results.snapshot().selection.layer) return publish();
            publish_soon();
          });
  connect(&compilation, &Compilation::quick, &owner, [this](std::shared_ptr<const engine::CompiledNetwork> result) {
    show_run(std::move(result));
    publish();
  });
  connect(&compilation, &Compilation::finished, &owner,
          [this](std::shared_ptr<const engine::CompiledNetwork> result) { finished(std::move(result)); });
  connect(&compilation, &Compilation::failed, &owner, [this](const QString& reason) { failed(reason); });
  connect(&compilation, &Compilation::progress, &owner, [this](double fraction, const QString& activity) {
    if (!background) emit owner.progress_changed(fraction, activity);
  });
}

void Workbench::State::load_background_data() {
  reading_tables.start<TablesReading>(read_tables, [this](TablesReading reading) {
    results.set_published(std::move(reading.tables));
    messages.published = std::move(reading.diagnostics);
    collect_messages();
    publish();
  });
  load_presets();
}

void Workbench::State::load_presets() {
  const auto wanted = settings.target;
  listing_presets.start<QStringList>([wanted](const std::stop_token&) { return preset_references(*wanted); },
                                     [this](const QStringList& names) {
                                       presets = names;
                                       emit owner.machine_changed();
                                     });
}

void Workbench::State::apply(const Settings& next) {
  const bool other_target = next.target != settings.target;
  settings = next;
  if (other_target) load_presets();
  emit owner.machine_changed();
  compile();
}

void Workbench::State::edit(Settings next, const QString& text, int drag) {
  if (next == settings) return;
  auto step =
      std::make_unique<ValueEdit<Settings>>(text, settings, std::move(next), [this](const Settings& to) { apply(to); });
  step->set_drag(drag);
  undo.push(step.release());
}

void Workbench::State::read_preset(const std::shared_ptr<const target::Target>& chosen, const QString& preset) {
  const QString level = settings.level;
  reading_preset.start<PresetReading>(
      [chosen, preset, level](const std::stop_token&) {
        PresetReading reading;
        if (preset.isEmpty()) {
          reading.settings = default_settings(chosen);
        } else {
          reading.settings = read_settings(chosen, preset, level, reading.diagnostics);
        }
        return reading;
      },
      [this, level](PresetReading reading) {
        messages.settings = std::move(reading.diagnostics);
        // A level that was chosen meanwhile is what the user wants last.
        if (reading.settings && settings.level != level && has_level(*reading.settings->target, settings.level))
          reading.settings->level = settings.level;
        if (reading.settings) edit(*reading.settings, tr("Load preset %1").arg(reading.settings->preset));
        collect_messages();
        emit owner.machine_changed();  // a refused preset leaves the chooser on the one that holds
      });
}

void Workbench::State::save_preset(const QString& path, const QString& name, const QString& description) {
  const arch::ParameterValues values = settings.values;
  writing_preset.start<PresetReading>(
      [path, name, description, values, made_of = settings] {
        PresetReading saved;
        if (!write_preset(*made_of.target, path, values, name, description, saved.diagnostics)) return saved;
        saved.settings = made_of;
        saved.settings->preset = name;
        saved.settings->preset_values = values;
        saved.settings->preset_file = file_beyond_name(*made_of.target, name, path);
        return saved;
      },
      [this, made_of = settings, of = sessions](PresetReading saved) {
        messages.settings = std::move(saved.diagnostics);
        const bool same_preset = ui::preset_reference(settings) == ui::preset_reference(made_of) &&
                                 settings.preset_values == made_of.preset_values && settings.target == made_of.target;
        // What was changed while the file was written stays changed.
        if (saved.settings && same_preset && of == sessions) {
          Settings next = *saved.settings;
          next.values = settings.values;
          next.level = settings.level;
          edit(next, tr("Save preset %1").arg(next.preset));
        }
        if (saved.settings) load_presets();
        collect_messages();
      });
}

void Workbench::State::open_network(const QString& path, const SizeWish& wish,
                                    const std::optional<network::InputSizes>& undo_to) {
  opening.start<NetworkReading>(
      [known = catalogue, path = path.toStdString(), wish](const std::stop_token&) {
        return read_network(*known, path, wish);
      },
      [this, path, undo_to](NetworkReading reading) {
        const bool edited = undo_to && reading.network;
        const auto after = reading.sizes;
        opened(path, std::move(reading));
        if (!edited || *undo_to == *after) return;
        auto step = std::make_unique<ValueEdit<network::InputSizes>>(
            tr("Input size %1").arg(QString::fromStdString(sizes_text(*after))), *undo_to, *after,
            [this, path](const network::InputSizes& chosen) { return_to_sizes(path, chosen); });
        step->set_done();
        undo.push(step.release());
      });
  opening_session = false;
  show_opening(path);
}

void Workbench::State::show_opening(const QString& path) {
  if (!results.network()) results.halt(tr("Reading %1…").arg(QFileInfo(path).fileName()));
  refresh_busy();
  publish();
}

void Workbench::State::show_refused(const QString& path) {
  if (results.network()) return;
  results.halt(tr("%1 could not be opened; Messages below tell why.\nOpen another network with Ctrl+O, or take one "
                  "from File, Open sample.")
                   .arg(QFileInfo(path).fileName()));
}

void Workbench::State::show_nothing_open() {
  if (!results.network()) results.halt(tr("Open a network with Ctrl+O, or take one from File, Open sample."));
}

void Workbench::State::open_first(const QStringList& paths) {
  std::vector<std::pair<QString, SizeWish>> files;
  for (const QString& path : paths) files.emplace_back(path, sizes.wish(path));
  opening.start<FirstReading>(
      [known = catalogue, files](const std::stop_token& stop) { return read_first(*known, files, stop); },
      [this](FirstReading first) { opened(first.path, std::move(first.reading)); });
  opening_session = false;
  show_opening(paths.front());
}

void Workbench::State::opened(const QString& path, NetworkReading reading) {
  if (reading.missing) emit owner.network_missing(path);
  messages.reading = std::move(reading.diagnostics);
  if (reading.network) {
    take(path, std::move(reading));
  } else {
    show_refused(path);
  }
  refresh_busy();
  collect_messages();
  publish();
}

void Workbench::State::take(const QString& path, NetworkReading reading) {
  stop_compiling();
  messages.mapping = {};
  const auto before = results.network();
  const artifact::Ref selection = results.snapshot().selection;
  auto network = std::make_shared<const network::Network>(std::move(*reading.network));
  const bool same_layers =
      before && before->source_file == network->source_file && before->layers.size() == network->layers.size();
  results.open(std::move(network));
  if (same_layers) {
    artifact::Ref kept;  // cycles and tiles of other sizes are others, the layer is the same
    kept.layer = selection.layer;
    results.select(kept);
  }
  sizes.opened(path, reading.open, reading.sizes);
  show_baselines();
  emit owner.network_opened();
  compile();
}

void Workbench::State::return_to_sizes(const QString& path, const network::InputSizes& chosen) {
  sizes.choose(path, chosen);
  const auto open = results.network();
  if (open && open->source_file == path.toStdString()) open_network(path, {chosen, {}}, {});
}

void Workbench::State::cancel() {
  const bool was_opening = opening.running(), was_compiling = compilation.running() && !background;
  opening.forget();
  if (!results.network()) {
    results.halt(tr("Opening was cancelled. Open a network with Ctrl+O, or take one from File, Open sample."));
  } else if (was_opening && !was_compiling) {
    results.halt(tr("Opening was cancelled; the network before is still here."));
  } else {
    results.halt(tr("Cancelled. Press F5 to compile again."));
  }
  stop_compiling();
  refresh_busy();
  publish();
}

engine::Request Workbench::State::request(const std::string& level) const {
  engine::Request result{
      results.network(), settings.target, settings.values, level, settings.preset.toStdString(), 0, {}};
  result.visible_layer = std::max(0, results.snapshot().selection.layer);
  return result;
}

bool Workbench::State::machine_holds() {
  messages.machine = {};
  const bool holds = settings.values.check(messages.machine);
  collect_messages();
  return holds;
}

void Workbench::State::compile() {
  messages.failure = {};
  if (!machine_holds())
    return halt(
        tr("These parameters do not go together; the figures are of the machine before. Ctrl+Z takes the change "
           "back; the Machine panel tells what must hold."));
  if (background) compilation.stop();  // a run that nobody waits for is no reason to wait
  background = false;
  if (results.network()) {
    engine::Request wanted = request(settings.level.toStdString());
    wanted.quick_level = quick_level_of(*settings.target, wanted.level);
    compilation.start(std::move(wanted));
  }
  refresh_busy();
}

void Workbench::State::compile_missing() {
  if (compilation.running()) return;
  baseline_of_run.reset();
  if (const PinnedBaseline* ready = ready_baseline()) return compile_baseline(*ready);
  const auto level = results.missing_level();
  if (!level) return;
  background = true;
  compilation.start(request(*level));
}

void Workbench::State::stop_compiling() {
  rest.stop();
  compilation.stop();
}

void Workbench::State::halt(const QString& message) {
  stop_compiling();
  if (results.network()) results.halt(message);
  refresh_busy();
  publish();
}

void Workbench::State::show_run(std::shared_ptr<const engine::CompiledNetwork> run) {
  messages.mapping = {};
  for (const engine::Fault& fault : engine::faults(*run))
    messages.mapping.error({}, target::fault_reason(fault.text()), {},
                           "the fault is ConvScope's: please report it with the network and the machine");
  analysis::UnmappedGroups unmapped;
  for (std::size_t index = 0; index < run->layers.size(); ++index) {
    const auto& layer = run->layers[index];
    if (!layer || layer->mapped() || !layer->fault().empty()) continue;
    const network::Layer& described = run->network->layers[index];
    unmapped.add(described.operator_name, described.name, layer->reason(), static_cast<double>(described.macs()));
  }
  for (const analysis::UnmappedLayers& each : unmapped.sorted()) {
    const std::string where = each.names.size() == 1 ? "layer '" + each.text() + "'" : each.text();
    messages.mapping.warning({{}, 0, where}, "not mapped: " + each.reason);
  }
  results.finish(std::move(run));
  collect_messages();
}

void Workbench::State::finished(std::shared_ptr<const engine::CompiledNetwork> result) {
  const bool rests = !background;
  if (background && baseline_of_run) {
    baseline_compiled(*std::exchange(baseline_of_run, std::nullopt), std::move(result));
  } else if (background) {
    results.finish_level(std::move(result));
  } else {
    show_run(std::move(result));
  }
  refresh_busy();
  publish();
  if (rests) return rest.start();
  compile_missing();
}

void Workbench::State::failed(const QString& reason) {
  if (background && baseline_of_run) {
    baseline_failed(*std::exchange(baseline_of_run, std::nullopt), reason);
    return compile_missing();
  }
  if (background) {
    messages.failure.warning({}, "another level could not be compiled: " + reason.toStdString());
  } else {
    messages.failure.error({}, reason.toStdString());
  }
  collect_messages();
  if (!background)
    halt(tr("The compilation failed: %1\nPress F5 to try again, or change a parameter or the level.").arg(reason));
}

void Workbench::State::refresh_busy() {
  const bool busy = opening.running() || (compilation.running() && !background);
  const bool changed = busy != results.snapshot().busy;
  results.set_busy(busy);
  if (changed) emit owner.progress_changed(busy ? 0 : 1, {});
}

void Workbench::State::publish() {
  repaint.stop();
  results.merge();
  tell_views();
  if (!burial.isActive()) burial.start();
}

void Workbench::State::tell_views() {
  const Changes changes = results.take_changes();
  if (changes) emit owner.changed(changes);
}

void Workbench::State::bury() {
  auto retired = results.take_retired();
  if (retired.empty()) return;
  run_apart([last = std::move(retired)]() mutable { last.clear(); });
}

void Workbench::State::publish_soon() {
  if (!repaint.isActive()) repaint.start();
}

void Workbench::State::collect_messages() {
  Diagnostics all;
  for (const Diagnostics* part :
       {&messages.session, &messages.failure, &messages.machine, &messages.settings, &messages.reading,
        &messages.exploration, &messages.mapping, &messages.baselines, &messages.published}) {
    append_shown(*part, all);
  }
  if (all.items() == messages.all.items()) return;
  messages.all = std::move(all);
  emit owner.messages_changed();
}

}  // namespace convscope::ui
