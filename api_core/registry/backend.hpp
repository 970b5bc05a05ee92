// One loaded device plugin or foreign driver: its own tables, the composed ones that its handles use, its drivers.
//
// Way of a call: handle → container → composed table → overlay's function → … → the plugin's own function.
//
// How handles come to use the composed tables (Attachment):
//   InPlace  the plugin's containers have our layout: the table pointers inside them are replaced, so every handle of
//   the
//            plugin sees the composed tables at once.
//   Adopted  the containers are of another version, belong to a foreign driver, or are those of a parent process: each
//            object's prefix is pointed at the core's own containers when a function hands it out (adopt.hpp).
//   Wrapped  the driver's objects have no prefix: the core hands out objects of its own (wrap.hpp).
//
// Ownership: a Backend is never destroyed once a handle of it was handed out. Threading: built by one thread under the
// session's lock, then constant except for `reported`, which is atomic.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <registry/driver_types.hpp>
#include <registry/plugin_source.hpp>
#include <registry/prefix.hpp>
#include <registry/presented.hpp>
#include <registry/table_set.hpp>

namespace zeroth::registry {

enum class Attachment { InPlace, Adopted, Wrapped };

// A driver handle of a backend, as programs get it. zes uses the same object where the plugin does.
struct DriverEntry {
  ze_driver_handle_t core = nullptr;
  zes_driver_handle_t sysman = nullptr;
  Types types = 0; // what its devices are
};

class Backend {
public:
  // Fetches the tables, starts the driver, composes and attaches. Throws zeroth::Error when it cannot serve.
  explicit Backend(FoundDriver found);
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  // The backend of any object that it handed out. Not after forget().
  static Backend& of(const void* handle);

  const std::string& name() const { return found_.name; }
  Attachment attachment() const { return attachment_; }
  PrefixSize prefix_size() const { return prefix_size_; }
  const Presented& presented() const { return found_.presented; }
  bool foreign() const { return found_.foreign; }
  const std::vector<DriverEntry>& drivers() const { return drivers_; }
  const std::vector<FoundOverlay>& overlays() const { return found_.overlays; }

  // The driver's own functions; slots that it lacks are null.
  const ze_handle_t& own() const { return own_.prefix(); }
  const DispatchTables& own_tables() const { return own_.tables(); }
  // What programs' calls go through.
  const ze_handle_t& composed() const { return top_->prefix(); }

  // The type that devices of type Other report; none: the true one.
  void report(std::optional<ze_device_type_t> type) { reported_.store(type ? int(*type) : -1); }
  std::optional<ze_device_type_t> reported() const;
  // The types that a program sees of a driver of this backend.
  Types visible_types(const DriverEntry& driver) const;

  // Starts the driver's sysman part once, if it has one; its drivers' sysman handles are known after.
  void start_sysman();

  // The driver's own answers, under what `presented` puts over them.
  const TrueProperties& true_properties() const { return true_properties_; }

  // In a forked child: every handle of this backend answers ZE_RESULT_ERROR_DEVICE_LOST from now on.
  void lose_handles(const ze_handle_t& lost);

private:
  void start();
  Attachment choose_attachment();
  void compose();
  bool apply_overlay(const FoundOverlay& overlay);
  void open_sysman();
  void attach(ze_handle_t& driver);
  TableSet& new_layer(const ze_handle_t& below);

  // What zeroth_below() finds in front of the tables, and with it the way back to the backend.
  struct Link : zeroth_composition {
    Backend* owner;
  };

  FoundDriver found_;
  Link link_;
  TableSet own_;
  std::deque<TableSet> layers_;
  std::vector<const ze_handle_t*> below_; // by overlay number
  TableSet* top_ = nullptr;
  TableSet* sysman_base_ = nullptr; // what overlays of sysman stand over; null where there are none
  Attachment attachment_ = Attachment::InPlace;
  PrefixSize prefix_size_ = PrefixSize::Four;
  std::vector<ze_handle_t> attached_; // the containers that handles of this backend point at
  TrueProperties true_properties_;
  std::vector<DriverEntry> drivers_;
  std::atomic<int> reported_{-1};
  bool sysman_started_ = false;
};

} // namespace zeroth::registry
